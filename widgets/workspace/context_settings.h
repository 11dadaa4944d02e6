#pragma once

#include <QObject>
#include <QString>

namespace helio {

class ViewContext;

/// Setting with the state that the user highlights in the legends of panels. All panels then draw all other states in pale colours.
/// Ownership: each ViewContext owns one object.
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

/// Setting whether CPU times of a guest's threads and CPUs exclude steal time. A guest does not record its own steal time, so by default
/// the times include it.
/// Ownership: each ViewContext owns one object.
/// Threads: UI thread.
class StealTimeSetting : public QObject {
    Q_OBJECT

public:
    static StealTimeSetting& of(ViewContext& context);

    bool isCounted() const { return m_isCounted; } ///< True if steal time is a state of its own and does not count as time on a CPU.
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
