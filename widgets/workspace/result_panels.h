#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace helio {

struct ShownCommand;
class ViewContext;

/// An interval of a query's result, drawn as a bar.
struct ResultInterval {
    TimeRange range; ///< Empty for a moment.
    std::uint32_t name = 0; ///< Index into ResultPanelData::names, which determines text and colour.
    std::uint32_t depth = 0; ///< Number of the line within the row: overlapping intervals are below one another.
    std::uint32_t line = 0; ///< Index of the result's row.
    bool isOpen = false; ///< True if the end is unknown; the range then ends with the recording.
};

/// A value of a query's result, drawn as a point of a curve. The value holds until the next point.
struct ResultPoint {
    Timestamp at;
    std::optional<double> value; ///< nullopt for NULL and unknown durations: the curve has a gap from here on.
    std::uint32_t line = 0; ///< Index of the result's row.
};

/// A row, or a curve, of a panel with a query's result: the rows of the result with one value of the partition column.
struct ResultLane {
    QString name;
    std::vector<ResultInterval> intervals; ///< Sorted by begin; empty for a curve.
    std::vector<ResultPoint> points; ///< Sorted by time; empty for bars.
    std::uint32_t depths = 1; ///< Number of lines that overlapping intervals need.
    Duration total{}; ///< Sum of the durations.
};

/// Contents of a panel with a query's result. Immutable.
struct ResultPanelData {
    std::vector<ResultLane> lanes;
    QStringList names; ///< Texts of the intervals.
    std::size_t count = 0; ///< Number of intervals or points.
    QString unit; ///< Unit of the values of points, "ns" for durations; empty if unknown.
    QString remark; ///< Remark about rows that the panel leaves out, e.g. "first 200 of 1 000 rows"; empty if nothing.
};

/// A panel of the timeline that shows the result of a query.
struct ResultPanel {
    QString id; ///< Id of the panel, e.g. "sql" or "sql-2".
    QString query;
    QString subtitle; ///< Title of the query, e.g. its first comment.
    bool isChart = false; ///< True to draw curves instead of bars.
    std::shared_ptr<const ResultPanelData> data; ///< nullptr until the query has run for the first time.
    QString problem; ///< Reason why there are no data; empty while the query runs.
};

/// Returns the command that prints the rows of a query.
ShownCommand makeSqlCommand(const QString& query);

/// The panels of the timeline that show results of queries. The SQL dock fills the list, and the timeline shows it.
/// Ownership: each ViewContext owns one object.
/// Threads: UI thread.
class ResultPanels : public QObject {
    Q_OBJECT

public:
    static ResultPanels& of(ViewContext& context);

    const std::vector<ResultPanel>& panels() const { return m_panels; }
    const ResultPanel* find(const QString& id) const; ///< Returns nullptr if there is no such panel.
    void set(std::vector<ResultPanel> panels);

    /// Interval or point that is outlined, because the user selected its row of the result. Empty id: none.
    struct Mark {
        QString panel;
        std::uint32_t line = 0;
        bool operator==(const Mark&) const = default;
    };
    const Mark& mark() const { return m_mark; }
    void setMark(Mark mark);

    /// Values of the row of a result that the user selected, which Details shows: the names of the columns and the values as text.
    using Values = std::vector<std::pair<QString, QString>>;
    const Values& values() const { return m_values; }
    void setValues(Values values);

    /// Requests by the panels. Each function emits a signal that the SQL dock handles.
    void choose(const QString& panel, std::uint32_t line) { emit chosen(panel, line); }
    void edit(const QString& panel) { emit editRequested(panel); }
    void remove(const QString& panel) { emit removeRequested(panel); }

signals:
    void changed();
    void markChanged();
    void valuesChanged();
    void chosen(const QString& panel, std::uint32_t line);
    void editRequested(const QString& panel);
    void removeRequested(const QString& panel);

private:
    using QObject::QObject;

    std::vector<ResultPanel> m_panels;
    Mark m_mark;
    Values m_values;
};

} // namespace helio
