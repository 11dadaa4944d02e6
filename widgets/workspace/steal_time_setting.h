#pragma once

#include <QObject>

namespace helio {

class ViewContext;

/// Whether numbers of guests' rows leave out steal time, which guests do not know. By default they are as recorded. Ownership: one for each
/// context, which owns it. Threads: UI thread.
class StealTimeSetting : public QObject {
    Q_OBJECT

public:
    static StealTimeSetting& of(ViewContext& context);

    bool isCounted() const { return m_isCounted; } ///< True if steal time does not count as time on a CPU.
    void setCounted(bool isCounted);

signals:
    void changed();

private:
    explicit StealTimeSetting(QObject* parent)
        : QObject(parent)
    {
    }

    bool m_isCounted = false;
};

} // namespace helio
