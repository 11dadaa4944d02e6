#pragma once

#include <QObject>
#include <QString>

namespace helio {

class ViewContext;

/// State of the legend that all panels highlight; other states are shown in pale colours. Ownership: one for each context, which owns it.
/// Threads: UI thread.
class StateFocus : public QObject {
    Q_OBJECT

public:
    static StateFocus& of(ViewContext& context);

    const QString& legend() const { return m_legend; } ///< Name of the state in legends; empty if all states are shown normally.
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
