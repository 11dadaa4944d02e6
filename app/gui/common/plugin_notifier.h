#pragma once

#include <QObject>

namespace helio {

/// Notifies all windows that the user allowed or forbade a plug-in in one of them. Threads: UI thread.
class PluginNotifier : public QObject {
    Q_OBJECT

public:
    static PluginNotifier& instance()
    {
        static PluginNotifier news;
        return news;
    }

signals:
    void decided(); ///< Plugins::addTo() may add different plug-ins now.

private:
    using QObject::QObject;
};

} // namespace helio
