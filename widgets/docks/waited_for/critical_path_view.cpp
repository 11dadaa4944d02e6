#include "widgets/docks/waited_for/critical_path_view.h"

#include "core/waits/path/path.h"
#include "core/waits/path/path_stacks.h"
#include "core/waits/path/wait_causes.h"
#include "widgets/async/shared_query.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/path_choice.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTreeWidget>

#include <algorithm>
#include <array>
#include <utility>

namespace helio {

namespace {

constexpr std::size_t MostCauses = 200;
constexpr int WaitedSearchWidth = 200;
constexpr int CausesWidth = 400;
enum CauseColumn { What, Total, Share, Longest };

QString shareOf(double part, double whole) { return whole > 0 ? QStringLiteral("%1 %").arg(100 * part / whole, 0, 'f', 2) : QString(); }

QString causeWords(const PathCause& cause)
{
    const QString kind = theme().lookOf(stateOf(cause.kind)).legend;
    return cause.detail.empty() ? kind : kind + ": " + text(cause.detail);
}

} // namespace

struct CriticalPathView::Asked {
    std::shared_ptr<const Timeline> timeline;
    std::vector<PathRequest> paths; ///< Requests of the paths; empty if there is nothing to show.
    QString name;
    PathStacks::Names names = PathStacks::Names::Threads;
};

struct CriticalPathView::QueryResult {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const CallTree> tree;
    std::array<std::vector<PathCause>, 3> causes; ///< Causes, indexed by PathGrouping.
    Duration total{};
    QString name;
};

CriticalPathView::CriticalPathView(ViewContext& context, QWidget* parent)
    : FlameGraphBase(ManualQuery::of(context), parent)
    , m_context(context)
    , m_page(new EmptyPage)
    , m_by(new QComboBox)
    , m_causes(new QTreeWidget)
{
    graph().setAccessibleName(tr("Critical path flame graph"));
    searchField().setFixedSize(WaitedSearchWidth, 22);
    m_by->setAccessibleName(tr("Group by"));
    searchField().setPlaceholderText(tr("Search"));
    searchField().setAccessibleName(tr("Search the critical path"));
    m_by->addItems({tr("By cause"), tr("By thread"), tr("By host")});
    m_by->setToolTip(tr("Group the list on the right by cause, thread or host"));
    for (QWidget* tool : std::initializer_list<QWidget*>{searchField().foundLabel(), &searchField(), m_by})
        head().addTool(tool);
    trail().setHint(tr("Each level shows what the level above waited for"));
    trail().add(&workLine());
    m_page->setInDock();
    makeCauses();
    auto* parts = new QSplitter(Qt::Horizontal);
    parts->addWidget(&graph());
    parts->addWidget(m_causes);
    parts->setStretchFactor(0, 1);
    parts->setSizes({2 * CausesWidth, CausesWidth});
    parts->setChildrenCollapsible(true);
    setPages(m_page, parts);
    wire();
    trail().refresh();
    showState();
}

CriticalPathView::~CriticalPathView() { cancelBuild(); }

void CriticalPathView::makeCauses()
{
    setItemColumns(*m_causes, {tr("What to speed up"), tr("Time"), tr("Share"), tr("Longest")});
    m_causes->setAccessibleName(tr("Time on the critical path, largest share first"));
    styleTable(*m_causes);
}

void CriticalPathView::wire()
{
    PathChoice& choice = PathChoice::of(m_context);
    connect(&choice, &PathChoice::togetherChanged, this, &CriticalPathView::rebuild);
    connect(&m_context, &ViewContext::timelineChanged, this, &CriticalPathView::rebuild);
    connect(&Themes::instance(), &Themes::changed, this, &CriticalPathView::showCauses);
    connect(m_by, &QComboBox::currentIndexChanged, this, &CriticalPathView::showCauses);
    connect(&m_context.time(), &TimeWindow::rowChanged, this, [this] {
        if (!m_answer)
            showState();
    });
    connect(m_page, &EmptyPage::buttonClicked, this, [this] { PathChoice::of(m_context).follow(m_context.time().row()); });
    for (const auto signal : {&QTreeWidget::itemClicked, &QTreeWidget::itemActivated})
        connect(m_causes, signal, this, [this](QTreeWidgetItem* line) { goTo(m_causes->indexOfTopLevelItem(line)); });
}

void CriticalPathView::goTo(int line)
{
    if (!m_answer || line < 0 || std::size_t(line) >= listed().size() || !m_context.timeline())
        return;
    const PathCause it = listed()[std::size_t(line)]; // Copied, because the calls below may replace the result.
    m_context.time().jump({.row = it.row, .cursor = it.longest.begin});
    m_context.focusRows();
}

CriticalPathView::Asked CriticalPathView::asked() const
{
    const PathChoice& choice = PathChoice::of(m_context);
    Asked it{m_context.timeline(), {}, {}, PathStacks::Names::Threads};
    if (!it.timeline)
        return it;
    if (const auto& group = choice.shownGroup()) {
        it.paths = group->paths;
        it.name = group->name;
        it.names = it.paths.size() > 1 ? PathStacks::Names::Commands : PathStacks::Names::Threads;
    } else if (const auto& question = choice.question()) {
        it.paths = {*question};
        it.name = text(threadWords(*it.timeline, question->thread));
    }
    return it;
}

ShownCommand CriticalPathView::shownCommand() const
{
    const Asked shown = asked();
    if (shown.paths.empty())
        return ShownCommand::none(tr("No critical path is shown."));
    if (shown.paths.size() > 1)
        return ShownCommand::none(tr("No command combines the critical paths of several requests."));
    const char* const groups[] = {"cause", "thread", "host"};
    return pathCommand(*shown.timeline, m_context.time(), shown.paths.front(), {"--summary", "--by", groups[m_by->currentIndex()]});
}

void CriticalPathView::build()
{
    auto now = asked();
    if (now.paths.empty()) {
        cancelBuild();
        return take(nullptr);
    }
    post([this, now = std::move(now)](std::stop_token stop) -> LatestTask::Delivery {
        PathFinder finder(*now.timeline);
        PathStacks stacks(*now.timeline, now.names);
        std::array causes{PathCauses(*now.timeline), PathCauses(*now.timeline, PathGrouping::Thread),
                          PathCauses(*now.timeline, PathGrouping::Host)};
        for (const PathRequest& it : now.paths) {
            const CriticalPath path = finder.find(it.thread, rangeOf(*now.timeline, it), stop);
            if (stop.stop_requested())
                return {};
            stacks.add(path);
            for (PathCauses& by : causes)
                by.add(path);
        }
        auto answer = std::make_shared<QueryResult>();
        answer->timeline = now.timeline;
        answer->tree = std::make_shared<const CallTree>(stacks.tree(stop));
        for (std::size_t by = 0; by < causes.size(); ++by) {
            answer->causes[by] = causes[by].all();
            answer->causes[by].resize(std::min(MostCauses, answer->causes[by].size()));
        }
        answer->total = causes[0].total();
        answer->name = now.name;
        return [this, answer] { take(answer); };
    });
    showState();
}

void CriticalPathView::take(std::shared_ptr<const QueryResult> answer)
{
    m_answer = std::move(answer);
    FlameContent content;
    if (m_answer)
        content = {m_answer->tree, nullptr, WeightBy::Weight};
    showContent(std::move(content), true);
    showCauses();
    showState();
}

void CriticalPathView::showState()
{
    const bool canFollow = !isBusy() && !m_answer && hasThread();
    m_page->setText(isBusy() ? tr("Computing the critical path…") : tr("No critical path is shown."),
                    isBusy()        ? QString()
                        : canFollow ? tr("The Requests dock combines the paths of several requests.")
                                    : tr("Select a thread and press Shift+Y. The Requests dock combines the paths of several requests."));
    m_page->setButton(canFollow ? tr("Show critical path") : QString());
    head().title()->setText(m_answer ? m_answer->name : QString());
    trail().setRootName(m_answer ? tr("%1, %2").arg(m_answer->name, durationText(m_answer->total)) : QString());
    showEmpty(!m_answer);
    for (QWidget* part : std::initializer_list<QWidget*>{&searchField(), searchField().foundLabel(), m_by})
        part->setVisible(m_answer != nullptr);
}

/// True if the selected row leads to a thread whose critical path can be shown.
bool CriticalPathView::hasThread() const
{
    const auto timeline = m_context.timeline();
    const TimeWindow& time = m_context.time();
    return timeline && findPathThread(*timeline, time.row(), time.selection().isEmpty() ? time.cursor() : time.selection().begin).isValid();
}

void CriticalPathView::showCauses()
{
    const QString titles[] = {tr("What to speed up"), tr("By thread"), tr("By host")};
    m_causes->clear();
    m_causes->headerItem()->setText(What, titles[m_by->currentIndex()]);
    if (!m_answer)
        return;
    const bool isByCause = m_by->currentIndex() == int(PathGrouping::Cause);
    for (const PathCause& cause : listed()) {
        QTreeWidgetItem* line =
            addItemLine(*m_causes,
                        {isByCause ? causeWords(cause) : text(cause.detail), durationText(cause.total),
                         shareOf(double(cause.total.count()), double(m_answer->total.count())), durationText(cause.most)});
        line->setIcon(What, QIcon(swatchPixmap(theme().lookOf(stateOf(cause.kind)), 10, devicePixelRatioF())));
        line->setForeground(Longest, theme().color("text.link"));
        line->setToolTip(What,
                         tr("%1\n%2 times. Click to go to the longest, in %3")
                             .arg(line->text(What), countText(qint64(cause.count)), text(threadWords(*m_answer->timeline, cause.row))));
    }
}

const std::vector<PathCause>& CriticalPathView::listed() const { return m_answer->causes[std::size_t(m_by->currentIndex())]; }

QString CriticalPathView::matchShareText(const SampleSum& sum, const FunctionMatcher&) const
{
    return shareOf(double(sum.weight), m_answer ? double(m_answer->total.count()) : 0);
}

TipContent CriticalPathView::tipOf(const FlameFrameRef& place) const
{
    const CallTree& tree = graph().treeOf(place);
    const CallNode& node = tree.nodes[place.node];
    TipContent tip;
    tip.look.height = 16;
    tip.look.color = theme().color(graph().parts()[place.part].colors.roleOf(tree, place.node));
    tip.title = place.node == 0 ? tr("all") : text(tree.functionOf(place.node).name);
    tip.duration = durationText(Duration(std::int64_t(node.total.weight)));
    tip.facts = {{tr("Share of path"), shareOf(double(node.total.weight), double(tree.whole.weight))},
                 {tr("Segments"), countText(qint64(node.total.samples))}};
    if (place.node != 0)
        tip.facts.emplace_back(tr("Share of level above"),
                               shareOf(double(node.total.weight), double(tree.nodes[node.parent].total.weight)));
    return tip;
}

void CriticalPathView::fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place)
{
    const SampledFunction& frame = tree.functionOf(place.node);
    addSearchFor(menu, frame);
    menu.addSeparator();
    addCopy(menu, tr("Copy name"), text(frame.name));
}

} // namespace helio
