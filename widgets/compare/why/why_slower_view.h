#pragma once

#include "core/compare/conclusion.h"
#include "widgets/async/fresh_answer.h"
#include "widgets/compare/compare_context.h"
#include "widgets/controls/field_grid.h"

#include <array>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;

namespace helio {

class LedgerTable;

/// Why a program, a thread or a call took longer in B: a headline in words and a sentence, both sides' time on one scale in state colours,
/// and the ledger. Of the selected range where there is one.
class WhySlowerView : public ScrollPage {
    Q_OBJECT

public:
    explicit WhySlowerView(CompareContext& context, QWidget* parent = nullptr);

    const Ledger& ledger() const { return m_ledger; }

    /// Why there will be nothing to compare: a side cannot be read. Empty: nothing is in the way.
    void setProblem(const QString& problem);
    QString headline() const;
    QString conclusion() const;

    /// Sets the code in which the CPU time of the program differs; nullopt if it is unknown.
    void setCode(const QString& program, std::optional<CodeDifference> code);

    /// The function whose source is the way on; empty: none.
    void setWayOn(const QString& function);

signals:
    void sourceRequested();
    /// Stretches of A and B in which what makes the difference is to be seen.
    void timesRequested(helio::TimeRange ofA, helio::TimeRange ofB);
    void ledgerChanged(const helio::Ledger& ledger);
    /// On the common axis both sides are to begin where what is compared does: else A's part of it would be where A does not exist.
    void alignmentRequested();
    /// A line was clicked: the word in legends of the state whose bars are to stand out; empty: none.
    void stateChosen(const QString& legend);
    /// Where what is compared first runs on each side; nothing where it does not.
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
    bool areCalls() const; ///< One call with another one.
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
    LedgerTable* m_table;
    QLabel* m_sentence;
    QPushButton* m_showTimes;
    QPushButton* m_source;
    std::array<TimeRange, 2> m_examples{};
    TimeRange m_runOfA{}; ///< Range of A's first run.
    Ledger m_ledger;
    std::array<SideMeasures, 2> m_measures{}; ///< Measures of A and of B.
    QString m_codeOf; ///< Name of the program that has the code m_code.
    std::optional<CodeDifference> m_code;
    bool m_isCut = false; ///< A side has no run that was recorded as a whole.
    QString m_problem;
    QString m_nameA; ///< What it is of.
    QString m_nameB;
    QString m_callerA; ///< The threads of calls; else empty.
    QString m_callerB;
    FreshAnswer m_answer;
};

} // namespace helio
