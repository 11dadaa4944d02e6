#include "widgets/docks/inspector/inspector_view.h"

#include "core/query/rows/facts.h"
#include "widgets/code/code_pane.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/inspector/rule_panel.h"
#include "widgets/docks/inspector/rule_rows.h"
#include "widgets/docks/inspector/scenario_list.h"
#include "widgets/theme/themes.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

/// Fraction of the width for the source; the rest is for the facts, whose lines are shorter.
constexpr double CodeShare = 0.66;
constexpr int LeastSide = 260;
constexpr int MostSide = 520;

} // namespace

InspectorView::InspectorView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_list(AnalysisList::of(context))
    , m_codeShare(CodeShare)
    , m_which(new QComboBox)
    , m_sum(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_runs(new Pill(tr("Run")))
    , m_edit(new Pill(tr("Open in editor")))
    , m_new(new Pill(tr("New…")))
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_panes(new QSplitter(Qt::Horizontal))
    , m_code(new CodePane(tr("Source")))
    , m_box(new RulePanel(context))
    , m_scenarios(new ScenarioList(context))
    , m_reason(new QPlainTextEdit)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    makeHead();
    m_code->setColumns(ruleColumns(false));
    m_panes->addWidget(m_code);
    m_panes->addWidget(makeSide());
    m_panes->setHandleWidth(4);
    m_panes->setChildrenCollapsible(false);
    m_panes->setStretchFactor(0, 1);
    m_page->setInDock();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_panes);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_code);
    wire();
    refill();
}

void InspectorView::makeHead()
{
    m_which->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_which->setAccessibleName(tr("Analysis"));
    m_which->setToolTip(tr("Analysis to inspect"));
    m_runs->setCheckable(true);
    m_runs->setToolTip(tr("Run the analysis on the open traces and show its panels"));
    m_edit->setToolTip(tr("Open the selected line (or double-click it, or press Enter). Saving the file runs the analysis again"));
    m_new->setToolTip(tr("Create your own analysis from a working example"));
    m_sum->setMinimumWidth(1);
    m_sum->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(6);
    head->addWidget(m_which);
    head->addSpacing(4);
    head->addWidget(m_sum, 1);
    for (Pill* pill : {m_runs, m_edit, m_new})
        head->addWidget(pill);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
}

QWidget* InspectorView::makeSide()
{
    auto* side = new PanelGround;
    auto* lines = new QVBoxLayout(side);
    lines->setContentsMargins(14, 0, 0, 0);
    lines->setSpacing(14);
    lines->addWidget(m_box);
    lines->addWidget(m_scenarios, 1);
    lines->addWidget(m_reason, 1);
    side->setMinimumWidth(LeastSide);
    m_reason->setReadOnly(true);
    m_reason->setFrameShape(QFrame::NoFrame);
    m_reason->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere); // Words may be broken, because commands contain long words.
    m_reason->document()->setDocumentMargin(0);
    m_reason->setAccessibleName(tr("Why it does not run"));
    const auto dress = [this] {
        m_reason->setFont(fonts().at(11.5));
        QPalette palette = m_reason->palette();
        palette.setColor(QPalette::Base, theme().color("surface.panel"));
        palette.setColor(QPalette::Text, theme().color("text.primary"));
        m_reason->setPalette(palette);
    };
    connect(&Themes::instance(), &Themes::changed, m_reason, dress);
    dress();
    return side;
}

void InspectorView::wire()
{
    connect(&m_list, &AnalysisList::changed, this, &InspectorView::refill);
    connect(&m_list, &AnalysisList::inspectionRequested, this, &InspectorView::choose);
    connect(&m_context, &ViewContext::timelineChanged, this, &InspectorView::fetch);
    connect(&m_list, &AnalysisList::openedChanged, this, &InspectorView::fetch);
    connect(m_which, &QComboBox::activated, this, [this](int index) { choose(m_which->itemData(index).toString()); });
    connect(m_runs, &Pill::clicked, this, [this](bool isOn) { m_list.switchOn(m_id, isOn); });
    connect(m_edit, &Pill::clicked, this, [this] {
        if (const AnalysisEntry* it = entry())
            m_list.edit(it->path, m_code->currentRow() + 1);
    });
    connect(m_new, &Pill::clicked, this, [this] { m_list.makeNew(); });
    connect(m_page, &EmptyPage::buttonClicked, this, [this] { m_list.makeNew(); });
    connect(m_code, &CodePane::chosen, this, &InspectorView::chooseLine);
    connect(m_code, &CodePane::opened, this, [this](int row) {
        if (const AnalysisEntry* it = entry(); it && !it->path.isEmpty())
            m_list.edit(it->path, row + 1);
    });
    connect(m_panes, &QSplitter::splitterMoved, this, [this] { m_isSplitByUser = true; });
    connect(m_box, &RulePanel::cleared, this, [this] { chooseRule({}); });
}

void InspectorView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    layOutPanes();
    fetch();
}

const std::vector<RuleFacts>& InspectorView::rules() const
{
    static const std::vector<RuleFacts> None;
    return m_trial ? m_trial->rules : None;
}

ShownCommand InspectorView::shownCommand() const
{
    const AnalysisEntry* it = entry();
    if (!it || it->path.isEmpty())
        return ShownCommand::none(it ? tr("This analysis has no file to check.") : tr("No analysis is chosen."));
    return {{"analyses", "check", it->path}, {}, {}, QStringLiteral("--trace")};
}

void InspectorView::refill()
{
    const QSignalBlocker quiet(m_which);
    m_which->clear();
    for (const AnalysisEntry& it : m_list.entries())
        if (!it.source.isEmpty())
            m_which->addItem(it.label, it.id);
    if (const QString best = defaultAnalysis(); best != m_id) {
        m_id = best;
        forgetTrial();
    }
    m_which->setCurrentIndex(m_which->findData(m_id));
    showEntry();
}

/// Returns the id of the analysis to show: the one that the user selected, otherwise one that runs and applies. The user's own analyses are
/// first in the list.
QString InspectorView::defaultAnalysis() const
{
    const auto hasSource = [this](const QString& id) {
        const AnalysisEntry* it = m_list.find(id);
        return it && !it->source.isEmpty();
    };
    if (hasSource(m_wanted))
        return m_wanted;
    const auto isSeen = [](const AnalysisEntry& it) { return it.applies && !it.source.isEmpty(); };
    const auto runs = [&](const AnalysisEntry& it) { return it.isOn && isSeen(it); };
    const AnalysisEntry* now = entry();
    const auto& all = m_list.entries();
    if (now && runs(*now))
        return m_id;
    if (const auto first = std::ranges::find_if(all, runs); first != all.end())
        return first->id;
    if (now && isSeen(*now))
        return m_id;
    if (const auto first = std::ranges::find_if(all, isSeen); first != all.end())
        return first->id;
    return hasSource(m_id) ? m_id : m_which->count() > 0 ? m_which->itemData(0).toString() : QString();
}

void InspectorView::choose(const QString& id)
{
    if (!m_list.find(id))
        return fetch();
    m_wanted = id;
    if (id == m_id)
        return fetch();
    m_id = id;
    forgetTrial();
    refill();
}

QJsonObject InspectorView::save() const
{
    QJsonObject kept;
    if (!m_wanted.isEmpty())
        kept["analysis"] = m_wanted;
    if (m_isSplitByUser && m_panes->width() > 0)
        kept["code"] = double(m_panes->sizes().front()) / m_panes->width();
    return kept;
}

/// Restores the selection. An id without an analysis is kept, because its analysis may come with traces that are opened later.
void InspectorView::restore(const QJsonObject& kept)
{
    m_wanted = kept["analysis"].toString();
    m_codeShare = std::clamp(kept["code"].toDouble(CodeShare), 0.1, 0.9);
    m_isSplitByUser = kept.contains("code");
    m_isLaidOut = false;
    layOutPanes();
    refill();
}

void InspectorView::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    layOutPanes();
}

/// Distributes the width according to m_codeShare, unless the user moved the handle.
void InspectorView::layOutPanes()
{
    const int room = m_panes->width() - m_panes->handleWidth();
    if (room <= 0 || (m_isSplitByUser && m_isLaidOut))
        return;
    m_isLaidOut = true;
    const int side = int((1 - m_codeShare) * room);
    const int fitting = m_isSplitByUser ? side : std::clamp(side, LeastSide, MostSide);
    m_panes->setSizes({room - fitting, fitting});
}

void InspectorView::forgetTrial()
{
    chooseRule({});
    m_job.cancel();
    m_trial.reset();
    m_trialGeneration = 0;
    m_isRevealed = false;
}

/// Shows the facts that are known without running the analysis.
void InspectorView::showEntry()
{
    const AnalysisEntry* it = entry();
    const bool isThere = it && !it->source.isEmpty();
    m_stack->setCurrentIndex(isThere ? 1 : 0);
    m_which->setVisible(m_which->count() > 0);
    for (QWidget* part : {static_cast<QWidget*>(m_sum), static_cast<QWidget*>(m_runs), static_cast<QWidget*>(m_edit)})
        part->setVisible(isThere);
    m_page->setText(tr("No analysis to inspect."), tr("New analysis creates a working file with explanations."));
    m_page->setButton(tr("New analysis…"));
    if (!isThere)
        return;
    m_runs->setChecked(it->isOn);
    m_runs->setEnabled(it->canRun());
    m_edit->setEnabled(!it->path.isEmpty());
    m_which->setToolTip(it->path.isEmpty() ? tr("Built in") : it->path);
    layOutPanes();
    showReason(it->reason);
    showSource();
    showScenarios();
    fetch();
}

/// Shows the complete reason as a text that the user can copy: it may name dozens of events to record.
void InspectorView::showReason(const QString& reason)
{
    m_reason->setPlainText(reason.isEmpty() ? QString() : tr("Does not run here: %1").arg(reason));
    m_reason->setVisible(!reason.isEmpty());
    m_box->setVisible(reason.isEmpty());
    m_scenarios->setVisible(reason.isEmpty());
}

std::vector<AnalysisProblem> InspectorView::problemsOf(const AnalysisEntry& entry) const
{
    std::vector<AnalysisProblem> its;
    std::ranges::copy_if(m_list.problems(), std::back_inserter(its),
                         [&](const AnalysisProblem& problem) { return problem.path == entry.path; });
    return its;
}

/// Shows the source. If the file has errors, a previous version of the analysis runs; its line numbers differ, so counts are omitted.
void InspectorView::showSource()
{
    const AnalysisEntry& it = *entry();
    const auto problems = problemsOf(it);
    const bool hasErrors = std::ranges::count(problems, false, &AnalysisProblem::isWarning) > 0;
    const int scrolled = m_code->verticalScrollBar()->value();
    const std::vector<RuleFacts> shown = hasErrors ? std::vector<RuleFacts>() : rules();
    m_code->setColumns(ruleColumns(hasMissingFields(shown)));
    m_code->setRows(ruleRows(it.source, shown, problems));
    m_code->verticalScrollBar()->setValue(m_isRevealed ? scrolled : 0);
    const auto first = std::ranges::find_if(m_code->rows(), [](const CodeRow& row) { return !row.cells.empty(); });
    const int wrong = hasErrors ? std::ranges::find(problems, false, &AnalysisProblem::isWarning)->line : 0;
    const bool isNewError = std::exchange(m_wrongLine, wrong) != wrong && wrong > 0;
    if ((!m_isRevealed || isNewError) && first != m_code->rows().end()) {
        m_code->reveal(isNewError ? wrong - 1 : int(first - m_code->rows().begin()));
        m_isRevealed = true;
    }
    showSum();
}

void InspectorView::showSum()
{
    const AnalysisEntry& it = *entry();
    const auto problems = problemsOf(it);
    const auto error = std::ranges::find(problems, false, &AnalysisProblem::isWarning);
    if (error != problems.end())
        return m_sum->setText(error->text);
    if (!it.reason.isEmpty())
        return m_sum->setText(tr("Does not run here"));
    if (!m_context.timeline())
        return m_sum->setText(tr("Open a trace to see what its rules do."));
    QString text = m_trial ? summarizeRules(m_trial->rules) : m_trialGeneration ? tr("Counting…") : QString();
    if (m_trial && !m_trial->problems.isEmpty())
        text += QStringLiteral(". ") + m_trial->problems.front();
    m_sum->setText(text);
}

void InspectorView::showScenarios()
{
    const AnalysisEntry& it = *entry();
    const bool isPattern = std::ranges::count(rules(), QStringLiteral("transition"), &RuleFacts::element) > 0;
    if (!it.applies || !m_context.timeline())
        return m_scenarios->setView({}, {});
    if (!it.isOn)
        return m_scenarios->setView({}, tr("Switch it on with Run to see which scenarios are active at the cursor."));
    if (m_trial && !isPattern)
        return m_scenarios->setView({},
                                    tr("It has no state machine, so there are no scenarios. To see everything that it stores, use Analysis "
                                       "> Inspect > Show all attributes."));
    m_scenarios->setView(it.attributes, {});
}

/// Runs the analysis if the view is visible, once per opened experiment.
void InspectorView::fetch()
{
    const auto timeline = m_context.timeline();
    const AnalysisEntry* it = entry();
    if (!timeline) {
        forgetTrial();
        m_context.setMoments(nullptr);
    }
    if (!it || it->source.isEmpty())
        return;
    if (!timeline || !isVisible() || !m_list.trial() || !isComplete(*timeline) || m_list.opened() == m_trialGeneration)
        return showSum();
    m_trialGeneration = m_list.opened();
    m_job.post([this, timeline, id = m_id.toStdString(), trial = m_list.trial()](std::stop_token stop) -> LatestTask::Delivery {
        const auto made = trial(*timeline, id, {}, stop);
        return [this, made] {
            m_trial = made;
            if (!entry())
                return;
            showSource();
            showScenarios();
            chooseRule(m_rule && *m_rule < rules().size() ? m_rule : std::nullopt);
        };
    });
    showSum();
}

void InspectorView::chooseLine(int row)
{
    if (const auto rule = findRule(rules(), row + 1))
        chooseRule(rule);
}

void InspectorView::chooseRule(std::optional<std::size_t> rule)
{
    m_rule = rule;
    m_timesJob.cancel();
    m_context.setMoments(nullptr);
    m_box->setRule(rule ? &rules()[*rule] : nullptr);
    if (rule && rules()[*rule].fired > 0)
        fetchTimes();
}

void InspectorView::fetchTimes()
{
    const auto timeline = m_context.timeline();
    if (!timeline || !m_list.trial())
        return;
    m_timesJob.post(
        [this, timeline, id = m_id.toStdString(), rule = m_rule, trial = m_list.trial()](std::stop_token stop) -> LatestTask::Delivery {
            const auto made = trial(*timeline, id, rule, stop);
            return [this, made] {
                auto times = std::make_shared<const std::vector<Timestamp>>(made ? made->times : std::vector<Timestamp>());
                m_box->setTimes(times);
                m_context.setMoments(times);
            };
        });
}

} // namespace helio
