#include "tests/bench/sections/frame_maker.h"

#include "tests/bench/sections/rows_shown.h"
#include "widgets/timegraph/axis/ruler_scene.h"

#include <QPainter>

#include <algorithm>

namespace helio::bench {
namespace {

constexpr int LabelWidth = 300;
constexpr std::size_t Rows = 200;

GraphRows rowsOf(const Timeline& timeline, std::string_view view)
{
    ViewRows found = viewRows(timeline, view);
    const std::uint64_t least = intervalsOfBusiest(found.rows, Rows);
    RowTree tree;
    tree.setAccepts([least](const Row& row) { return row.intervals >= least; });
    tree.setRows(std::move(found.rows));
    return {graphRows(tree, found.beside), Density::Compact};
}

} // namespace

FrameMaker::FrameMaker(std::shared_ptr<const Timeline> timeline, QSize size, std::string_view view)
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

int FrameMaker::visibleRows() const
{
    const auto [first, last] = m_scene.visibleRows();
    return last - first;
}

void FrameMaker::ask(TimeRange window, int scrollY, bool asPixels)
{
    m_scene.scale = TimeScale(window, m_scene.size.width() - LabelWidth);
    m_scene.scrollY = scrollY;
    m_ticks = ticksFor(m_scene.scale, m_format);
    m_scene.ticks = &m_ticks;
    m_lanes.clear();
    m_shares.clear();
    const auto [first, last] = m_scene.visibleRows();
    for (int i = first; i < last; ++i) {
        const TrackRef ref = m_rows[i].ref;
        if (!ref.isValid())
            continue;
        LaneQuestion question{ref, window, m_scene.scale.resolution(), 1, 1, true, {}};
        if (asPixels) {
            question.tile = m_scene.tileShape(i);
            question.tile.columns = m_scene.timeArea().width();
        }
        m_lanes[ref] = fetchLane(*m_timeline, question);
        if (m_rows[i].hasShare)
            m_shares[ref] = busyShare(*m_timeline, ref, window);
    }
    m_losses = losses(*m_timeline, window);
    m_scene.losses = m_losses;
}

void FrameMaker::paintBars()
{
    if (m_bars.size() != m_scene.size)
        m_bars = QImage(m_scene.size, QImage::Format_RGB32);
    renderBars(m_scene, m_bars);
}

void FrameMaker::paintRest()
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
