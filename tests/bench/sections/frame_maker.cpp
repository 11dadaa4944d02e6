#include "tests/bench/sections/frame_maker.h"

#include "core/base/parallel_for.h"
#include "tests/bench/sections/rows_shown.h"
#include "tests/bench/suite/measuring.h"
#include "widgets/timeline/graph/axis/ruler_scene.h"

#include <QPainter>

#include <algorithm>
#include <atomic>

namespace helio::bench {
namespace {

constexpr int LabelWidth = 300;
constexpr std::size_t Rows = 200;
constexpr std::size_t MostThreads = 4; ///< Maximum number of threads that query lanes, equal to the limit of LaneFetcher.

GraphRows rowsOf(const Timeline& timeline, std::string_view view)
{
    ViewRows found = makeViewRows(timeline, view);
    const std::uint64_t least = leastIntervalsOfBusiest(found.rows, Rows);
    RowTree tree;
    tree.setAccepts([least](const Row& row) { return row.intervals >= least; });
    tree.setRows(std::move(found.rows));
    return {makeGraphRows(tree, found.beside), Density::Compact};
}

} // namespace

FrameRenderer::FrameRenderer(std::shared_ptr<const Timeline> timeline, QSize size, std::string_view view)
    : m_timeline(std::move(timeline))
    , m_theme(Theme::make(Theme::Kind::Dark))
    , m_looks(m_theme)
    , m_rows(rowsOf(*m_timeline, view))
    , m_size(size)
    , m_picture(size, QImage::Format_RGB32)
{
    m_scene.theme = &m_theme;
    m_scene.fonts = &m_fonts;
    m_scene.looks = &m_looks;
    m_scene.timeline = m_timeline.get();
    m_scene.rows = &m_rows;
    m_scene.lanes = &m_lanes;
    m_scene.shares = &m_shares;
    m_scene.size = QSize(size.width(), size.height() - RulerHeight);
    m_scene.labelWidth = LabelWidth;
    m_scene.isPercentBare = true;
}

int FrameRenderer::visibleRows() const
{
    const auto [first, last] = m_scene.visibleRows();
    return last - first;
}

double FrameRenderer::queryVisibleRows(TimeRange window, int scrollY, bool asPixels)
{
    m_scene.scale = TimeScale(window, m_scene.size.width() - LabelWidth);
    m_scene.scrollY = scrollY;
    m_ticks = ticksFor(m_scene.scale, m_format);
    m_scene.ticks = &m_ticks;
    std::vector<LaneQuery> questions;
    const double before = threadSecondsOf([&] { questions = questionsOf(window, asPixels); });
    const double lanes = fetchLanes(questions);
    return before + lanes + threadSecondsOf([&] { queryWholeTrace(window); });
}

std::vector<LaneQuery> FrameRenderer::questionsOf(TimeRange window, bool asPixels)
{
    std::vector<LaneQuery> questions;
    const auto [first, last] = m_scene.visibleRows();
    for (int i = first; i < last; ++i) {
        if (!m_rows[i].ref.isValid())
            continue;
        LaneQuery question{m_rows[i].ref, window, m_scene.scale.resolution(), 1, 1, true, {}};
        if (asPixels) {
            question.tile = m_scene.tileShape(i);
            question.tile.columns = m_scene.timeArea().width();
        }
        questions.push_back(std::move(question));
    }
    return questions;
}

double FrameRenderer::fetchLanes(const std::vector<LaneQuery>& questions)
{
    std::vector<std::shared_ptr<const Lane>> lanes(questions.size());
    std::vector<double> seconds(usefulThreadCount(MostThreads));
    std::atomic<std::size_t> next = 0;
    parallelFor(seconds.size(), [&](std::size_t thread) {
        seconds[thread] = threadSecondsOf([&] {
            for (std::size_t i = next++; i < questions.size(); i = next++)
                lanes[i] = fetchLane(*m_timeline, questions[i]);
        });
    });
    m_lanes.clear();
    for (std::size_t i = 0; i < questions.size(); ++i)
        m_lanes[questions[i].track] = std::move(lanes[i]);
    return *std::ranges::max_element(seconds);
}

void FrameRenderer::queryWholeTrace(TimeRange window)
{
    m_shares.clear();
    const auto [first, last] = m_scene.visibleRows();
    for (int i = first; i < last; ++i)
        if (const TrackRef ref = m_rows[i].ref; ref.isValid() && m_rows[i].hasShare)
            m_shares[ref] = busyShare(*m_timeline, ref, window);
    m_losses = losses(*m_timeline, window);
    m_scene.losses = m_losses;
}

void FrameRenderer::paintBars()
{
    if (m_bars.size() != m_scene.size)
        m_bars = QImage(m_scene.size, QImage::Format_RGB32);
    renderBars(m_scene, m_bars);
}

void FrameRenderer::paintRest()
{
    QPainter painter(&m_picture);
    RulerScene ruler;
    ruler.size = QSize(m_size.width(), RulerHeight);
    ruler.labelWidth = LabelWidth;
    ruler.scale = m_scene.scale;
    ruler.format = m_format;
    paintRuler(painter, ruler, m_theme, m_fonts);
    painter.translate(0, RulerHeight);
    painter.drawImage(m_scene.timeArea(), m_bars, m_scene.timeArea());
    paintTimeArea(painter, m_scene);
    paintLabelColumn(painter, m_scene);
}

} // namespace helio::bench
