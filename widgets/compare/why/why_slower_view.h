#pragma once

#include "core/compare/conclusion.h"
#include "widgets/async/debounced_query.h"
#include "widgets/compare/compare_context.h"
#include "widgets/controls/field_grid.h"

#include <array>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;

namespace helio {

class BreakdownTable;

/// Page that explains why a program, a thread or a call took longer in B: a headline, a sentence, the times of both sides on one scale in
/// the colours of states, and the breakdown. If the user selected a time range, only this range is explained.
class WhySlowerView : public ScrollPage {
    Q_OBJECT

public:
    explicit WhySlowerView(CompareContext& context, QWidget* parent = nullptr);

    const Breakdown& breakdown() const { return m_breakdown; }

    /// Sets the reason why there is nothing to compare, e.g. a side that cannot be read; empty if there is no such problem.
    void setProblem(const QString& problem);
    QString headline() const;
    QString conclusion() const;

    /// Sets the code that causes the difference in CPU time of the program; nullopt if unknown.
    void setCode(const QString& program, std::optional<CodeDifference> code);

    /// Sets the texts about functions without symbols in A and in B, each one or more sentences; empty if there is nothing to say. The view
    /// adds what helps.
    void setMissingSymbols(const QString& ofA, const QString& ofB);
    QString symbolsText() const; ///< Returns the shown text about missing symbols as HTML; empty if none is shown.

    /// Sets the function whose source the button offers to show; empty hides the button.
    void setSourceFunction(const QString& function);

signals:
    void sourceRequested();
    void symbolsRequested(); ///< Requests the dialog that sets where symbols are.
    /// Requests to show ranges of A and B in which the cause of the difference is visible.
    void timesRequested(helio::TimeRange ofA, helio::TimeRange ofB);
    void breakdownChanged(const helio::Breakdown& breakdown);
    /// Requests an alignment at which both subjects begin at the common zero, because otherwise B may have no data for ranges of A.
    void alignmentRequested();
    /// Emitted when the user clicked a line. `legend`: name in legends of the state to highlight; empty for none.
    void stateChosen(const QString& legend);
    /// Reports the alignment at which both subjects begin at time 0 of the common axis; nullopt if a subject does not run on its side.
    void subjectAligned(std::optional<helio::Alignment> alignment);

private:
    class Bars;
    struct Question;
    struct QueryResult;

    void showEvent(QShowEvent* event) override;
    void fetch();
    static QueryResult answerTo(const Question& question, std::stop_token stop);
    void show(const QueryResult& answer);
    bool isOfRange() const;
    bool areCalls() const; ///< True if two single calls are compared.
    QString selectedRangeText(Side side) const;
    std::uint32_t cpusOf(Side side) const;
    QString detail() const;
    void showConclusion();
    QString wallHeadline(const QString& name, double ratio) const;

    CompareContext& m_context;
    QComboBox* m_program;
    QLabel* m_headline;
    QLabel* m_detail;
    Bars* m_bars;
    BreakdownTable* m_table;
    QLabel* m_sentence;
    QLabel* m_symbols; ///< Text about missing symbols.
    QPushButton* m_showTimes;
    QPushButton* m_source;
    std::array<TimeRange, 2> m_examples{};
    TimeRange m_runOfA{}; ///< Range of the first run in A.
    Breakdown m_breakdown;
    std::array<SideMeasurements, 2> m_measures{}; ///< Measurements of A and B.
    QString m_codeOf; ///< Name of the program that m_code belongs to.
    std::optional<CodeDifference> m_code;
    bool m_isCut = false; ///< True if a side has no completely recorded run.
    QString m_problem;
    QString m_nameA; ///< Name of the subject in A.
    QString m_nameB;
    QString m_callThreadA; ///< Name of the thread that made the compared call in A; empty if no calls are compared.
    QString m_callThreadB;
    DebouncedQuery m_answer;
};

} // namespace helio
