#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/analysis_list.h"
#include "widgets/workspace/saved_choices.h"
#include "widgets/workspace/view_context.h"

#include <optional>

class QComboBox;
class QPlainTextEdit;
class QSplitter;
class QStackedWidget;

namespace helio {

class CodePane;
class EmptyPage;
class Pill;
class RuleBox;
class ScenarioList;

/// An analysis that came from a file: its source with what each rule did beside it, the moments at which a rule fired, and the scenarios
/// that are under way at the cursor. Runs the analysis once more over what is open while it is looked at. UI thread.
class InspectorView : public PanelGround, public SavedChoices {
    Q_OBJECT

public:
    explicit InspectorView(ViewContext& context, QWidget* parent = nullptr);

    void choose(const QString& id);
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    const std::vector<RuleFacts>& rules() const;
    /// By its place in rules(): its moments are marked.
    void chooseRule(std::optional<std::size_t> rule);

private:
    void makeHead();
    QWidget* makeSide();
    void wire();
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void refill();
    QString bestToShow() const;
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
    QString m_id; ///< That is shown. Empty: there is none.
    QString m_wanted; ///< That a person chose last. Empty: none yet.
    double m_codeShare; ///< Of the room, that the source has.
    bool m_isLaidOut = false; ///< The room was shared out at least once.
    bool m_areSized = false; ///< A person moved the handle between source and facts.
    bool m_isRevealed = false; ///< Its first rule was brought into view.
    int m_wrongLine = 0; ///< Of the first error that the file had when it was shown last; 0: none.
    QComboBox* m_which;
    QLabel* m_sum;
    Pill* m_runs;
    Pill* m_edit;
    Pill* m_new;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    QSplitter* m_panes;
    CodePane* m_code;
    RuleBox* m_box;
    ScenarioList* m_scenarios;
    QPlainTextEdit* m_reason; ///< Why it does not run, in place of the two above.
    std::shared_ptr<const AnalysisTrial> m_trial; ///< Null: not known.
    std::uint64_t m_triedOn = 0; ///< AnalysisList::opened() that it is of, or is being found out of; 0: neither.
    std::optional<std::size_t> m_rule;
    LatestJob m_job;
    LatestJob m_timesJob;
};

} // namespace helio
