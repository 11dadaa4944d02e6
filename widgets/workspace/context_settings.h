#pragma once

#include <QObject>
#include <QString>

namespace helio {

class ViewContext;

/// State of the legend that all panels highlight; all other states are drawn in pale colours.
/// Ownership: one for each context, which owns it.
/// Threads: UI thread.
class StateFocus : public QObject {
    Q_OBJECT

public:
    static StateFocus& of(ViewContext& context);

    const QString& legend() const { return m_legend; } ///< Name of the highlighted state in legends; empty if no state is highlighted.
    void setLegend(const QString& legend);

signals:
    void changed();

private:
    explicit StateFocus(QObject* parent)
        : QObject(parent)
    {
    }

    QString m_legend;
};

/// Setting whether CPU times of guests' rows exclude steal time, of which the guest's own recording has no information. By default they are
/// shown as recorded.
/// Ownership: one for each context, which owns it.
/// Threads: UI thread.
class StealTimeSetting : public QObject {
    Q_OBJECT

public:
    static StealTimeSetting& of(ViewContext& context);

    bool isCounted() const { return m_isCounted; } ///< True if steal time is excluded from time on a CPU.
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
