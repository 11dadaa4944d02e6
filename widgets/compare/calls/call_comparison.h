#pragma once

#include "core/compare/call_sides.h"
#include "widgets/async/latest_task.h"

#include <QDialog>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QMenu;
class QTreeWidget;

namespace helio {

class CallDifferenceView;
class BreakdownTable;
class ManualQuery;

/// Dialog that compares the slow calls of a function (B) with its quick calls (A): the mean call of each side divided by thread state, and
/// the functions that cause the difference, as a differential flame graph and as a list. The user chooses the duration that separates slow
/// from quick calls.
/// Ownership: deletes itself when it is closed.
class CallComparison : public QDialog {
    Q_OBJECT

public:
    /// Compares the calls that are entirely in `range`, or all calls if there is no range. `kind`: segment kind of the calls.
    CallComparison(std::shared_ptr<const Timeline> timeline, std::string kind, SampledFunction function, std::optional<TimeRange> range,
                   QWidget* parent = nullptr);
    ~CallComparison() override;

    /// Breakdown of the difference; has no lines until the comparison is computed, or if a side has no calls.
    const Breakdown& breakdown() const { return m_breakdown; }
    QString headline() const; ///< Returns the function and the number of calls on each side.
    /// Returns the mean durations of the calls in A and in B, and whether only calls in the selected range were compared; empty if one side
    /// has no calls.
    QString detail() const;

signals:
    void answered();

private:
    struct QueryResult;

    void wire();
    void fillKinds(QMenu* menu);
    void ask();
    static QueryResult answerTo(const Timeline& timeline, const std::string& kind, const SampledFunction& function, TimeRange range,
                                std::optional<Duration> limit, std::stop_token stop);
    void take(const QueryResult& answer);
    QString detailOf() const;
    void showFunctions(const DifferenceTree& tree);

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<CallKind> m_kinds; ///< Kinds of amounts that the user can choose for the function's calls.
    std::string m_kind; ///< Name of the kind in m_kinds whose amounts are shown.
    SampledFunction m_function;
    std::optional<TimeRange> m_range;
    QLabel* m_headline;
    QLabel* m_detail;
    QLineEdit* m_limit;
    BreakdownTable* m_table;
    ManualQuery* m_work;
    CallDifferenceView* m_flame;
    QTreeWidget* m_functions;
    QString m_asked; ///< Duration that separates quick from slow calls, as the user entered it.
    Breakdown m_breakdown;
    LatestTask m_job;
};

} // namespace helio
