#pragma once

#include "core/compare/call_sides.h"
#include "widgets/async/latest_job.h"

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
class LedgerTable;
class UnaskedWork;

/// The slow calls of a function with its quick ones: where the mean of one went on either side by the states of its thread, and which
/// functions the difference lies in, as a differential flame graph and as a list. A person chooses which calls are slow. Deletes itself
/// once it is closed.
class CallComparison : public QDialog {
    Q_OBJECT

public:
    /// Of the calls, segments of that kind, that lie in the range as a whole; without one of all.
    CallComparison(std::shared_ptr<const Timeline> timeline, std::string kind, SampledFunction function, std::optional<TimeRange> range,
                   QWidget* parent = nullptr);
    ~CallComparison() override;

    const Ledger& ledger() const { return m_ledger; } ///< Without lines where there are no two sides, or not yet.
    QString headline() const; ///< Of which function, and how many calls stand on either side.
    QString detail() const; ///< Where they are parted, and how long they are; empty where there are no two sides.

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
    std::vector<CallKind> m_kinds; ///< What calls are weighed by; of the segments asked for.
    std::string m_kind; ///< The one that is shown.
    SampledFunction m_function;
    std::optional<TimeRange> m_range;
    QLabel* m_headline;
    QLabel* m_detail;
    QLineEdit* m_limit;
    LedgerTable* m_table;
    UnaskedWork* m_work;
    CallDifferenceView* m_flame;
    QTreeWidget* m_functions;
    QString m_asked; ///< The length, as it was given.
    Ledger m_ledger;
    LatestJob m_job;
};

} // namespace helio
