#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/analysis_list.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

#include <optional>

class QComboBox;
class QPlainTextEdit;
class QSplitter;
class QStackedWidget;

namespace helio {

class CodePane;
class EmptyPage;
class Pill;
class RulePanel;
class ScenarioList;

/// Dock for an analysis from a file: its source with the effects of each rule, the times at which a rule fired, and the scenarios in
/// progress at the cursor. While visible, runs the analysis once over the open traces.
/// Threads: UI thread.
class InspectorView : public PanelGround, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit InspectorView(ViewContext& context, QWidget* parent = nullptr);

    /// Returns the command that runs the analysis over the traces and counts the matches of each rule.
    ShownCommand shownCommand() const override;
    void choose(const QString& id);
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    const std::vector<RuleFacts>& rules() const;
    /// Selects a rule by its index in rules(), and marks the times at which the rule fired.
    void chooseRule(std::optional<std::size_t> rule);

private:
    void makeHead();
    QWidget* makeSide();
    void wire();
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void refill();
    QString defaultAnalysis() const;
    void layOutPanes();
    void showEntry();
    void showReason(const QString& reason);
    void showSource();
    void showSum();
    void showScenarios();
    void fetch();
    void fetchTimes();
    void forgetTrial();
    void chooseLine(int row);
    std::vector<AnalysisProblem> problemsOf(const AnalysisEntry& entry) const;
    const AnalysisEntry* entry() const { return m_list.find(m_id); }

    ViewContext& m_context;
    AnalysisList& m_list;
    QString m_id; ///< Id of the shown analysis; empty if none.
    QString m_wanted; ///< Id of the analysis that the user selected last; empty if none.
    double m_codeShare; ///< Fraction of the dock's width for the source.
    bool m_isLaidOut = false; ///< True if the panes have a width. A width that the user chose is then kept.
    bool m_isSplitByUser = false; ///< True if the user moved the handle between the source and the facts.
    bool m_isRevealed = false; ///< True if the first rule was scrolled into view.
    int m_wrongLine = 0; ///< Line of the first error in the file when it was last shown; 0 if none.
    QComboBox* m_which;
    QLabel* m_sum;
    Pill* m_runs;
    Pill* m_edit;
    Pill* m_new;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    QSplitter* m_panes;
    CodePane* m_code;
    RulePanel* m_box;
    ScenarioList* m_scenarios;
    QPlainTextEdit* m_reason; ///< Reason why the analysis does not run; shown in place of m_box and m_scenarios.
    std::shared_ptr<const AnalysisTrial> m_trial; ///< Result of executing the shown analysis; nullptr if there is none.
    /// Value of AnalysisList::opened() when the computation of m_trial was started; 0 if none was started. Another value means that m_trial
    /// is outdated.
    std::uint64_t m_trialGeneration = 0;
    std::optional<std::size_t> m_rule;
    LatestTask m_job;
    LatestTask m_timesJob;
};

} // namespace helio
