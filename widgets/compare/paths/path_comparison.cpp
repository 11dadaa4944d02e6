#include "widgets/compare/paths/path_comparison.h"

#include "core/waits/path/path.h"
#include "core/waits/path/path_causes.h"
#include "core/waits/path/path_stacks.h"
#include "widgets/async/shared_query.h"
#include "widgets/compare/calls/call_difference_view.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/table_style.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace helio {

namespace {

/// Critical paths of one side, summed up.
struct ComparedPaths {
    CallTree tree;
    std::vector<PathCause> causes;
    Duration total{};
    std::size_t count = 0;

    double mean(Duration of) const { return count > 0 ? double(of.count()) / double(count) : 0; }
};

ComparedPaths pathsOf(const Timeline& timeline, const PathGroup& set, QueryProgress& progress, const std::stop_token& stop)
{
    ComparedPaths side;
    PathFinder finder(timeline);
    PathStacks stacks(timeline, PathStacks::Names::Commands);
    PathCauses causes(timeline);
    for (const PathRequest& it : set.paths) {
        if (stop.stop_requested())
            return side;
        const CriticalPath path = finder.find(it.thread, rangeOf(timeline, it), stop);
        stacks.add(path);
        causes.add(path);
        ++side.count;
        ++progress.done;
    }
    side.tree = stacks.tree(stop);
    side.causes = causes.all();
    side.total = causes.total();
    return side;
}

/// Mean time per request of one kind of cause, in A and in B, in ns.
struct CauseDifference {
    PathKind kind = PathKind::Unknown;
    double a = 0;
    double b = 0;
};

std::vector<CauseDifference> differencesOf(const ComparedPaths& a, const ComparedPaths& b)
{
    std::map<PathKind, CauseDifference> all;
    for (const PathCause& it : a.causes)
        all[it.kind].a += a.mean(it.total);
    for (const PathCause& it : b.causes)
        all[it.kind].b += b.mean(it.total);
    std::vector<CauseDifference> order;
    for (auto& [kind, it] : all) {
        it.kind = kind;
        order.push_back(it);
    }
    std::ranges::stable_sort(order, std::greater(), [](const CauseDifference& it) { return std::abs(it.b - it.a); });
    return order;
}

QString meanText(double ns) { return durationText(Duration(std::llround(ns))); }

} // namespace

struct PathComparison::QueryResult {
    DifferenceTree tree;
    std::vector<CauseDifference> causes;
    double a = 0; ///< Mean duration of the requests in A, in ns.
    double b = 0;
};

PathComparison::PathComparison(std::shared_ptr<const Timeline> timeline, PathGroup a, PathGroup b, QWidget* parent)
    : QDialog(parent)
    , m_timeline(std::move(timeline))
    , m_a(std::move(a))
    , m_b(std::move(b))
    , m_headline(makeLabel({}, 13, 600, "text.primary"))
    , m_work(new ManualQuery(this))
    , m_flame(new CallDifferenceView(*m_work, {}))
    , m_causes(new QTreeWidget)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Comparison of requests' waits"));
    m_headline->setTextFormat(Qt::PlainText);
    m_headline->setWordWrap(true);
    m_flame->setWords({tr("Mean of one request"), tr("Computing the critical paths of the requests…"), tr("Waits of the requests")});
    setItemColumns(*m_causes, {tr("Cause (mean request)"), tr("A"), tr("B"), tr("B − A")});
    m_causes->setAccessibleName(tr("Causes of the difference"));
    auto* pages = new QTabWidget;
    pages->setDocumentMode(true);
    pages->addTab(m_flame, tr("Differential flame graph"));
    pages->addTab(m_causes, tr("By cause"));
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* page = new QVBoxLayout(this);
    page->addWidget(m_headline);
    page->addWidget(pages, 1);
    page->addWidget(close);
    resize(980, 640);
    ask();
}

/// The graph is deleted first, because it refers to m_work.
PathComparison::~PathComparison() { delete m_flame; }

const DifferenceTree* PathComparison::difference() const { return m_flame->shown().tree.get(); }

QString PathComparison::headline() const { return m_headline->text(); }

void PathComparison::ask()
{
    m_headline->setText(tr("Comparing %1 (A) with %2 (B)…").arg(m_a.name, m_b.name));
    auto progress = std::make_shared<QueryProgress>();
    progress->total = m_a.paths.size() + m_b.paths.size();
    m_work->setWork(tr("Computing critical paths"), progress);
    m_job.post([this, timeline = m_timeline, a = m_a, b = m_b, progress](std::stop_token stop) -> LatestTask::Delivery {
        const ComparedPaths sideA = pathsOf(*timeline, a, *progress, stop);
        const ComparedPaths sideB = pathsOf(*timeline, b, *progress, stop);
        if (stop.stop_requested())
            return {};
        auto answer = std::make_shared<QueryResult>();
        answer->a = sideA.mean(sideA.total);
        answer->b = sideB.mean(sideB.total);
        if (sideA.count > 0 && sideB.count > 0) {
            answer->tree = compareTrees(sideA.tree, sideB.tree,
                                        {WeightBy::Weight, 1.0 / double(sideA.count), 1.0 / double(sideB.count), 0, 0, true}, stop);
            answer->causes = differencesOf(sideA, sideB);
        }
        return [this, answer] { take(std::move(*answer)); };
    });
}

void PathComparison::take(QueryResult&& answer)
{
    m_work->setWork({}, {});
    // The name of a single request already contains its duration, so only the names of several requests get a mean.
    const auto side = [](const PathGroup& set, double mean) {
        return set.paths.size() > 1 ? tr("%1 (mean %2)").arg(set.name, meanText(mean)) : set.name;
    };
    m_headline->setText(tr("A: %1. B: %2.").arg(side(m_a, answer.a), side(m_b, answer.b)));
    showCauses(answer);
    const QString why = answer.tree.nodes.empty() ? tr("There are no two sides to compare.") : QString();
    m_flame->setDifference(std::move(answer.tree), why);
    emit answered();
}

void PathComparison::showCauses(const QueryResult& answer)
{
    m_causes->clear();
    for (const CauseDifference& it : answer.causes)
        addItemLine(*m_causes,
                    {theme().lookOf(stateOf(it.kind)).legend, meanText(it.a), meanText(it.b),
                     (it.b >= it.a ? QStringLiteral("+") : QStringLiteral("−")) + meanText(std::abs(it.b - it.a))});
}

} // namespace helio
