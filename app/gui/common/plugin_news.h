#pragma once

#include <QObject>

namespace helio {

/// That a person allowed or forbade a plug-in in one window: all of them show it. UI thread.
class PluginNews : public QObject {
    Q_OBJECT

public:
    static PluginNews& instance()
    {
        static PluginNews news;
        return news;
    }

signals:
    void decided(); ///< Plugins::addTo() may give others.

private:
    using QObject::QObject;
};

} // namespace helio
