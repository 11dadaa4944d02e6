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

/// Compares the slow calls of a function (B) with its quick calls (A): breakdown of the mean call of each side by the states of its thread,
/// and the functions that make the difference, as a differential flame graph and as a list. The user chooses the length that separates slow
/// from quick.
/// Ownership: deletes itself when it is closed.
class CallComparison : public QDialog {
    Q_OBJECT

public:
    /// Compares the calls that lie entirely in `range`, or all calls without a range. `kind`: the kind of segments that calls are.
    CallComparison(std::shared_ptr<const Timeline> timeline, std::string kind, SampledFunction function, std::optional<TimeRange> range,
                   QWidget* parent = nullptr);
    ~CallComparison() override;

    const Breakdown& ledger() const { return m_ledger; } ///< Has no lines if there are no two sides, or until they are compared.
    QString headline() const; ///< Names the function and the number of calls on each side.
    QString detail() const; ///< The length that separates the sides, and how long the mean calls are; empty if there are no two sides.

signals:
    void answered();

private:
    struct Answer;

    void wire();
    void fillKinds(QMenu* menu);
    void ask();
    static Answer answerTo(const Timeline& timeline, const std::string& kind, const SampledFunction& function, TimeRange range,
                           std::optional<Duration> limit, std::stop_token stop);
    void take(const Answer& answer);
    QString detailOf() const;
    void showFunctions(const DifferenceTree& tree);

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<CallKind> m_kinds; ///< Weights that the user can choose between, for the segments asked for.
    std::string m_kind; ///< Name of the kind that is shown.
    SampledFunction m_function;
    std::optional<TimeRange> m_range;
    QLabel* m_headline;
    QLabel* m_detail;
    QLineEdit* m_limit;
    BreakdownTable* m_table;
    ManualQuery* m_work;
    CallDifferenceView* m_flame;
    QTreeWidget* m_functions;
    QString m_asked; ///< Limit between quick and slow calls, as the user typed it.
    Breakdown m_ledger;
    LatestTask m_job;
};

} // namespace helio
