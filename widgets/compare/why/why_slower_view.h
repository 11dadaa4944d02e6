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

/// Says why a program, a thread or a call took longer in B: a headline, a sentence, the time of both sides on one scale in state colours,
/// and the breakdown. It covers the selection if there is one.
class WhySlowerView : public ScrollPage {
    Q_OBJECT

public:
    explicit WhySlowerView(CompareContext& context, QWidget* parent = nullptr);

    const Breakdown& ledger() const { return m_ledger; }

    /// Sets why there will be nothing to compare, e.g. a side cannot be read; empty if there is no such problem.
    void setProblem(const QString& problem);
    QString headline() const;
    QString conclusion() const;

    /// Sets the code in which the CPU time of the program differs; nullopt if it is unknown.
    void setCode(const QString& program, std::optional<CodeDifference> code);

    /// Sets the function that the button for the source offers; empty hides the button.
    void setSourceFunction(const QString& function);

signals:
    void sourceRequested();
    /// Requests to show the ranges of A and B in which the cause of the difference is seen.
    void timesRequested(helio::TimeRange ofA, helio::TimeRange ofB);
    void ledgerChanged(const helio::Breakdown& ledger);
    /// Requests an alignment at which both subjects begin at the common zero; otherwise ranges of A might lie where B has none.
    void alignmentRequested();
    /// The user clicked a line. `legend` is the name in legends of the state to highlight; empty for none.
    void stateChosen(const QString& legend);
    /// Reports the alignment at which both subjects begin at the common zero; nullopt if a subject does not run on its side.
    void subjectAligned(std::optional<helio::Alignment> alignment);

private:
    class Bars;
    struct Question;
    struct Answer;

    void showEvent(QShowEvent* event) override;
    void fetch();
    static Answer answerTo(const Question& question, std::stop_token stop);
    void show(const Answer& answer);
    bool isOfRange() const;
    bool areCalls() const; ///< True if one call is compared with another call.
    QString stretchText(Side side) const;
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
    QPushButton* m_showTimes;
    QPushButton* m_source;
    std::array<TimeRange, 2> m_examples{};
    TimeRange m_runOfA{}; ///< Range of A's first run.
    Breakdown m_ledger;
    std::array<SideMeasurements, 2> m_measures{}; ///< Measures of A and of B.
    QString m_codeOf; ///< Name of the program that has the code m_code.
    std::optional<CodeDifference> m_code;
    bool m_isCut = false; ///< True if a side has no run that was recorded completely.
    QString m_problem;
    QString m_nameA; ///< Names of the subjects of A and B.
    QString m_nameB;
    QString m_callerA; ///< Threads of the compared calls; empty if no calls are compared.
    QString m_callerB;
    DebouncedQuery m_answer;
};

} // namespace helio
