// Paints everything that is drawn over the bars of a time graph: states of guests with steal time, shades, labels and marks.

#include "core/query/rows/facts.h"
#include "widgets/paint/frame_name.h"
#include "widgets/paint/marks.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/graph/lanes/times_layout.h"
#include "widgets/timeline/graph/row_shade.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace helio {

namespace {

constexpr int TextGap = 4; ///< Distance in pixels between a bar and the text above it.
constexpr double HatchedEnd = 14; ///< Width in pixels of the hatched end of a bar.
constexpr double FadingEnd = 30;
constexpr double TopLineHeight = 2;
constexpr double EdgeHeight = 2;
constexpr double FadedTo = 0.22;
constexpr double StolenHatch = 0.55; ///< Opacity of the bar's colour between the strokes of the hatch.
constexpr int CoveredEdge = 3; ///< Height in pixels of a row's own bars that stays visible below the bars of GraphRow::cover.
constexpr int LeastHatched = 4; ///< Minimum width in pixels of a hatched bar; narrower bars are filled, because no stroke would be visible.
/// Minimum height, in sixteenths of the band, at which the state that a guest recorded is hatched during steal time. Running states are at
/// least this high. The lower bars of waiting states are not hatched, because they do not suggest that the guest ran.
constexpr int LeastRunning = 11;
/// Minimum number of letters that remain when a bar's label is shortened. Fewer letters could not distinguish two labels.
constexpr int LeastLetters = 4;

class TimeAreaPainter {
public:
    TimeAreaPainter(QPainter& painter, const GraphScene& scene)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(*scene.theme)
        , m_area(scene.timeArea())
        , m_font(scene.fonts->bar())
        , m_shade(scene)
    {
    }

    void paint()
    {
        m_painter.save();
        m_painter.setClipRect(m_area & m_scene.painted(), Qt::IntersectClip);
        if (m_scene.scale.isValid() && m_scene.timeline) {
            stolen();
            covers();
            unread();
            losses();
            ends();
            hiddenCallees();
            m_shade.paint(m_painter);
            labels();
            marks();
            marked();
            finding();
        }
        m_painter.restore();
    }

private:
    double x(Timestamp t) const { return m_area.left() + m_scene.scale.xAt(t); }

    /// Hatches the states that a guest recorded while its vCPU had no CPU: the guest only seems to run in these states. A line at the
    /// bottom of the hatched area has the colour of the state of `overlay` that represents the steal time.
    void stolen()
    {
        const auto [first, last] = m_scene.paintedRows();
        for (int row = first; row < last; ++row) {
            const GraphRow& it = (*m_scene.rows)[row];
            const Lane* const known = it.overlay.isValid() && !it.sources ? laneOf(it.overlay) : nullptr;
            const Lane* const recorded = known ? laneOf(it.lane()) : nullptr;
            if (recorded)
                hatchStealTime(row, *known, *recorded);
        }
    }

    void hatchStealTime(int row, const Lane& known, const Lane& recorded)
    {
        const GraphRow& it = (*m_scene.rows)[row];
        const auto& states = statesOf(*m_scene.timeline, it.overlay).states;
        const StateLooks& looks = m_scene.looks->of(*m_scene.timeline, it.overlay, nullptr)->looks;
        const StateLooks& own = m_scene.looks->of(*m_scene.timeline, it.ref, nullptr)->looks;
        std::uint32_t preemptedMask = 0; // Bit mask of the preempted states, in which the vCPU was waiting for its CPU.
        for (std::size_t i = 0; i < std::min<std::size_t>(states.size(), 32); ++i)
            preemptedMask |= states[i].meaning == StateCategory::Preempted ? 1U << i : 0;
        auto under = recorded.spans.spans.begin();
        for (const Span& span : known.spans.spans) {
            const double part = partOf(span, known.spans.shares, preemptedMask);
            if (part <= 0)
                continue;
            while (under != recorded.spans.spans.end() && under->range.end <= span.range.begin)
                ++under;
            const bool isOnIt = under != recorded.spans.spans.end() && under->range.begin < span.range.end;
            const auto state = std::size_t(isOnIt ? under->state : State{});
            const auto preemptedState =
                std::size_t(std::countr_zero(preemptedMask & (span.count > 1 ? span.mask : 1U << std::uint32_t(span.state))));
            if (isOnIt && state < own.size() && preemptedState < looks.size() && own[state].height >= LeastRunning)
                paintStealTime(row, span, part, own[state].color, looks[preemptedState].color);
        }
    }

    /// Returns the fraction of the span's duration in states of `mask`, 0 to 1.
    static double partOf(const Span& span, const std::vector<std::uint8_t>& shares, std::uint32_t mask)
    {
        if (span.count <= 1)
            return (mask >> std::uint32_t(span.state) & 1U) != 0 ? 1 : 0;
        double part = 0;
        std::size_t share = span.firstShare;
        for (std::uint32_t m = span.mask; m && share < shares.size(); m &= m - 1, ++share)
            if ((mask >> std::countr_zero(m) & 1U) != 0)
                part += shares[share] / 255.0;
        return part;
    }

    void paintStealTime(int row, const Span& span, double part, const QColor& own, const QColor& culprit)
    {
        const RowMetrics metrics = m_scene.rows->metrics(row);
        const double left = std::max(double(m_area.left()), x(span.range.begin));
        const double right = std::min(double(m_area.right() + 1), x(span.range.end));
        if (right <= left)
            return;
        const double bottom = m_scene.rowTop(row) + metrics.baseline();
        const double height = std::max(2.0, metrics.band * part);
        const QRectF rect(left, bottom - height, std::max(1.0, right - left), height);
        m_painter.fillRect(rect, m_theme.color("surface.timeline"));
        QColor faint = own;
        faint.setAlphaF(float(StolenHatch));
        if (rect.width() < LeastHatched)
            m_painter.fillRect(rect, faint);
        else
            paintHatch(m_painter, rect, faint, 5, 1.2);
        m_painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1), faint);
        m_painter.fillRect(QRectF(rect.left(), bottom - 2, rect.width(), 2), culprit);
    }

    /// Paints bars for the virtual machines that ran on a CPU. They are drawn over the states that the host recorded for this CPU; the
    /// lowest CoveredEdge pixels of the recorded states stay visible.
    void covers()
    {
        const auto [first, last] = m_scene.paintedRows();
        for (int row = first; row < last; ++row) {
            const GraphRow& it = (*m_scene.rows)[row];
            if (const Lane* const known = it.cover.isValid() ? laneOf(it.cover) : nullptr)
                cover(row, *known, m_scene.looks->of(*m_scene.timeline, it.cover, nullptr)->looks);
        }
    }

    void cover(int row, const Lane& known, const StateLooks& looks)
    {
        const RowMetrics metrics = m_scene.rows->metrics(row);
        const double bottom = m_scene.rowTop(row) + metrics.baseline() - CoveredEdge;
        for (const Span& span : known.spans.spans) {
            const double left = std::max(double(m_area.left()), x(span.range.begin));
            const double right = std::min(double(m_area.right() + 1), x(span.range.end));
            double top = bottom;
            for (std::size_t state = 0; state < looks.size() && left < right; ++state) {
                const double height = (metrics.band - CoveredEdge) * partOf(span, known.spans.shares, 1U << state);
                if (height <= 0)
                    continue;
                m_painter.fillRect(QRectF(left, top - height, std::max(1.0, right - left), height), looks[state].color);
                top -= height;
            }
        }
    }

    /// Hatches the range of each trace that is not indexed yet.
    void unread()
    {
        const auto [first, last] = m_scene.paintedRows();
        double left = m_area.right() + 1;
        for (int row = first; row < last; ++row) {
            const TrackRef lane = (*m_scene.rows)[row].lane();
            if (!lane.isValid())
                continue;
            const Timestamp known = knownUntil(*m_scene.timeline, lane);
            if (known >= m_scene.scale.window().end)
                continue;
            const double from = std::max(double(m_area.left()), x(known));
            const QRectF rect(from, m_scene.rowTop(row), m_area.right() + 1 - from, m_scene.rows->metrics(row).height);
            paintHatch(m_painter, rect, m_theme.color("mark.unread"), 7, 1.2);
            left = std::min(left, from);
        }
        if (m_scene.reading.isEmpty() || left > m_area.right())
            return;
        m_painter.setFont(m_scene.fonts->detail());
        m_painter.setPen(m_theme.color("text.secondary"));
        const QRectF rect(left, 0, m_area.right() + 1 - left, std::min(m_area.height(), 40));
        if (rect.width() > 120)
            drawTabular(m_painter, rect, Qt::AlignHCenter, m_scene.reading);
    }

    /// Paints the open ends of calls that have no recorded exit.
    void ends()
    {
        const auto [first, last] = m_scene.paintedRows();
        for (int row = first; row < last; ++row) {
            const GraphRow& it = (*m_scene.rows)[row];
            const auto lane = m_scene.lanes->find(it.lane());
            if (lane == m_scene.lanes->end() || !lane->second || lane->second->ends.empty())
                continue;
            const StateLooks& looks = m_scene.looks->of(*m_scene.timeline, it.lane(), it.sources.get())->looks;
            for (const LaneEnd& end : lane->second->ends)
                paintEnd(row, lane->second->spans.spans[end.span], end.drawing, looks);
        }
    }

    const Lane* laneOf(TrackRef track) const
    {
        const auto lane = m_scene.lanes->find(track);
        return lane == m_scene.lanes->end() ? nullptr : lane->second.get();
    }

    /// Paints an edge below calls whose callees are at hidden depths.
    void hiddenCallees()
    {
        const auto [first, last] = m_scene.paintedRows();
        for (int row = first; row < last; ++row) {
            const GraphRow& it = (*m_scene.rows)[row];
            const Lane* const calls = it.hiddenDepths > 0 ? laneOf(it.lane()) : nullptr;
            const Lane* const callees = calls ? laneOf(it.line.track) : nullptr;
            if (callees)
                edges(row, calls->spans.spans, callees->spans.spans);
        }
    }

    void edges(int row, const std::vector<Span>& calls, const std::vector<Span>& callees)
    {
        const double bottom = m_scene.rowTop(row) + m_scene.rows->metrics(row).baseline();
        auto callee = callees.begin();
        for (const Span& call : calls) {
            while (callee != callees.end() && callee->range.end <= call.range.begin)
                ++callee;
            if (callee == callees.end() || callee->range.begin >= call.range.end)
                continue;
            const double left = std::max(double(m_area.left()), x(call.range.begin));
            const double right = std::min(double(m_area.right() + 1), x(call.range.end));
            if (right > left)
                m_painter.fillRect(QRectF(left, bottom - EdgeHeight, std::max(1.0, right - left), EdgeHeight),
                                   m_theme.color("line.strong"));
        }
    }

    void paintEnd(int row, const Span& span, BarPattern drawing, const StateLooks& looks)
    {
        const double left = std::max(double(m_area.left()), x(span.range.begin));
        const double right = x(span.range.end);
        if (std::size_t(span.state) >= looks.size() || right <= m_area.left() || left > m_area.right() || right - left < 2)
            return;
        const StateAppearance& look = looks[std::size_t(span.state)];
        const RowMetrics metrics = m_scene.rows->metrics(row);
        const double height = heightOf(look, metrics.band);
        const QColor ground = m_theme.color("surface.timeline");
        const double width = std::min(right - left, drawing == BarPattern::Hatched ? HatchedEnd : FadingEnd);
        if (drawing == BarPattern::Plain) { // `Plain` marks an inlined function: a line at the top of the bar.
            const double from = std::max(double(m_area.left()), left);
            const double to = std::min(double(m_area.right() + 1), right);
            m_painter.fillRect(QRectF(from, m_scene.rowTop(row) + metrics.baseline() - height, to - from, TopLineHeight),
                               m_theme.color("flame.inlined"));
            return;
        }
        const QRectF rect(right - width, m_scene.rowTop(row) + metrics.baseline() - height, width, height);
        if (!isOpenEnd(drawing)) {
            m_painter.fillRect(rect, mixed(ground, look.color, HatchTint));
            paintHatch(m_painter, rect, look.color, 4, 1.5);
            return;
        }
        QLinearGradient fade(rect.topLeft(), rect.topRight());
        fade.setColorAt(0, QColor(ground.red(), ground.green(), ground.blue(), 0));
        QColor most = ground;
        most.setAlphaF(float(1 - FadedTo));
        fade.setColorAt(1, most);
        m_painter.fillRect(rect, fade);
        for (double y = rect.top(); y < rect.bottom(); y += 4)
            m_painter.fillRect(QRectF(rect.right() - 1, y, 1, 2), look.color);
    }

    /// Paints the hatches of all losses before their labels, because losses of a CPU can overlap.
    void losses()
    {
        forEachLoss([this](const LossRange&, const QRectF& rect) { paintLossHatch(rect); });
        std::vector<QRectF> pills;
        forEachLoss([&](const LossRange& loss, const QRectF& rect) { paintLossLabel(loss, rect, pills); });
    }

    template <typename Paint> void forEachLoss(const Paint& paint) const
    {
        const auto [first, last] = m_scene.paintedRows();
        for (const LossRange& loss : m_scene.losses) {
            if (!loss.range.overlaps(m_scene.scale.window()))
                continue;
            for (int row = first; row < last; ++row) {
                const GraphRow& it = (*m_scene.rows)[row];
                if (it.isCpu && it.cpu == loss.cpu && it.trace == loss.trace)
                    paint(loss, rectOf(loss, row));
            }
        }
    }

    QRectF rectOf(const LossRange& loss, int row) const
    {
        const RowMetrics metrics = m_scene.rows->metrics(row);
        const double from = x(loss.range.begin);
        return {from, double(m_scene.rowTop(row) + metrics.bandTop - 1), std::max(1.0, x(loss.range.end) - from), double(metrics.band + 1)};
    }

    void paintLossHatch(const QRectF& rect)
    {
        const QColor color = m_theme.color("mark.lost");
        paintHatch(m_painter, rect, color, 5, 1.2);
        m_painter.fillRect(QRectF(rect.left(), rect.top(), 1, rect.height()), color);
        m_painter.fillRect(QRectF(rect.right() - 1, rect.top(), 1, rect.height()), color);
    }

    /// Paints the number of lost events if it fits and does not overlap `pills`, the labels painted before; adds its rectangle to them.
    void paintLossLabel(const LossRange& loss, const QRectF& rect, std::vector<QRectF>& pills)
    {
        const QString text = loss.events > 0 ? QStringLiteral("lost ") + countText(qint64(loss.events)) : QStringLiteral("events lost");
        m_painter.setFont(m_font);
        const double width = tabularWidth(m_font, text) + 8;
        if (rect.width() < width)
            return;
        const QRectF pill(rect.center().x() - width / 2, rect.top() + 1, width, rect.height() - 2);
        if (std::ranges::any_of(pills, [&](const QRectF& other) { return other.intersects(pill); }))
            return;
        pills.push_back(pill);
        const QColor color = m_theme.color("mark.lost");
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.color("surface.timeline"));
        m_painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        m_painter.setPen(color);
        drawTabular(m_painter, pill, Qt::AlignHCenter, text);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }

    /// Paints a frame around adjacent rows of the selected finding, and a pill with its rank and text on the first of them.
    void finding()
    {
        if (!m_scene.finding)
            return;
        bool isFirst = true;
        for (int row = 0; row < m_scene.rows->count(); ++row) {
            if (!m_scene.isOfFinding(row))
                continue;
            int last = row;
            while (last + 1 < m_scene.rows->count() && m_scene.isOfFinding(last + 1))
                ++last;
            const int top = m_scene.rowTop(row), bottom = m_scene.rowTop(last) + m_scene.rows->metrics(last).height;
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(m_theme.color("select.related"));
            m_painter.drawRect(QRectF(m_area.left() + 0.5, top + 0.5, m_area.width() - 1, bottom - top - 1));
            if (std::exchange(isFirst, false))
                findingPill(top);
            row = last;
        }
    }

    void findingPill(int rowTop)
    {
        constexpr double Disc = 14, Gap = 5;
        const QColor color = m_theme.colorOf(m_scene.finding->color);
        m_painter.setFont(m_font);
        const QRectF pill(m_area.left() + 4, rowTop + 2, Disc + Gap + cachedTextWidth(m_font, m_scene.finding->text) + 8, Disc);
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.color("surface.selected"));
        m_painter.drawRoundedRect(pill, Disc / 2, Disc / 2);
        paintRankDisc(m_painter, QRectF(pill.topLeft(), QSizeF(Disc, Disc)), m_scene.finding->rank, color, m_theme.textColorFor(color));
        m_painter.setPen(m_theme.color("text.primary"));
        drawCachedText(m_painter, {pill.left() + Disc + Gap, centredBaseline(m_font, pill)}, m_scene.finding->text);
    }

    void marks()
    {
        const auto [first, last] = m_scene.paintedRows();
        for (const RowMarks& marks : m_scene.marks)
            for (int row = first; row < last; ++row) {
                const GraphRow& it = (*m_scene.rows)[row];
                if (!it.sources)
                    rowMarks(marks, row, it.ref);
                else
                    for (const LaneSource& source : *it.sources)
                        rowMarks(marks, row, source.track);
            }
    }

    void rowMarks(const RowMarks& marks, int row, TrackRef track)
    {
        const auto found = marks.times->find(track);
        if (found == marks.times->end())
            return;
        const std::vector<TimesColumn> columns = computeTimesColumns(found->second, m_scene.scale);
        const std::uint32_t most = columns.empty() ? 1 : std::ranges::max(columns, {}, &TimesColumn::count).count;
        const double top = m_scene.rowTop(row) + m_scene.rows->metrics(row).tickTop;
        QColor color = m_theme.color(marks.role);
        for (const TimesColumn& column : columns) {
            color.setAlphaF(float(marks.faintest + (1 - marks.faintest) * double(column.count) / double(most)));
            m_painter.fillRect(QRectF({double(m_area.left() + column.x), top}, marks.size), color);
        }
    }

    void labels()
    {
        if (m_scene.rows->density() == Density::Compact)
            return;
        m_painter.setFont(m_font);
        const auto [first, last] = m_scene.paintedRows();
        for (int row = first; row < last; ++row) {
            const GraphRow& it = (*m_scene.rows)[row];
            if (it.shape() == RowShape::Strip)
                continue;
            const Lane* const lane = laneOf(it.ref);
            const Lane* const cover = it.cover.isValid() ? laneOf(it.cover) : nullptr;
            if (lane && !lane->texts.empty())
                rowLabels(row, *lane, m_scene.looks->of(*m_scene.timeline, it.ref, it.sources.get())->looks, cover);
            if (cover && !cover->texts.empty())
                rowLabels(row, *cover, m_scene.looks->of(*m_scene.timeline, it.cover, nullptr)->looks, nullptr);
        }
    }

    static bool isCovered(const Span& span, const Lane& cover)
    {
        const auto& spans = cover.spans.spans;
        const Timestamp middle = span.range.begin + span.range.duration() / 2;
        const auto it = std::ranges::upper_bound(spans, middle, {}, [](const Span& its) { return its.range.end; });
        return it != spans.end() && it->range.begin <= middle;
    }

    /// Paints the labels of a row's bars, except on bars hidden by `cover` (nullptr if no bars are hidden).
    void rowLabels(int row, const Lane& lane, const StateLooks& looks, const Lane* cover)
    {
        const RowMetrics metrics = m_scene.rows->metrics(row);
        const double band = m_scene.rowTop(row) + metrics.bandTop;
        for (const LaneText& text : lane.texts) {
            const Span& span = lane.spans.spans[text.span];
            const std::size_t state = std::size_t(span.state);
            if (state >= looks.size() || !looks[state].isLabelled || looks[state].height < 11 || (cover && isCovered(span, *cover)))
                continue;
            const double left = std::max(double(m_area.left()), x(span.range.begin));
            const double right = std::min(double(m_area.right() + 1), x(span.range.end));
            if (right - left < LabelLeast)
                continue;
            const QString shown = (*m_scene.rows)[row].hasFrames() ? elidedFrame(m_font, text.text, right - left - 8)
                                                                   : distinctLabel(text.text, right - left - 8);
            if (shown.isEmpty())
                continue;
            const double height = heightOf(looks[state], metrics.band);
            const QRectF rect(left + 5, band + metrics.band - height, right - left - 5, height);
            m_shade.drawText(m_painter, row, rect, looks[state], shown);
        }
    }

    /// Paints an outline around the bar of the selected state, and the state's text above if the bar is too low for it.
    void marked()
    {
        if (!m_scene.marked || m_scene.marked->row < 0 || m_scene.marked->row >= m_scene.rows->count())
            return;
        const MarkedState& mark = *m_scene.marked;
        const GraphRow& row = (*m_scene.rows)[mark.row];
        const auto lane = m_scene.lanes->find(row.ref);
        if (lane != m_scene.lanes->end() && lane->second && lane->second->samplePeriod > Duration(0))
            return; // The bars show the density of samples. There is no outline, because the state is only the unknown state behind them.
        const StateLooks& looks = m_scene.looks->of(*m_scene.timeline, row.ref, row.sources.get())->looks;
        const std::size_t state = std::size_t(mark.interval.state);
        if (state >= looks.size())
            return;
        const RowMetrics metrics = m_scene.rows->metrics(mark.row);
        const int height = heightOf(looks[state], metrics.band);
        const int bottom = m_scene.rowTop(mark.row) + metrics.baseline();
        const double left = std::max(m_area.left() - 2.0, std::floor(x(mark.interval.range.begin)) - 1);
        const double right = std::min(m_area.right() + 3.0, std::ceil(x(mark.interval.range.end)) + 1);
        if (right < m_area.left() || left > m_area.right())
            return;
        m_painter.setBrush(Qt::NoBrush);
        const QRectF outline(left + 0.5, bottom - height - 0.5, std::max(2.0, right - left - 1), height + 1);
        if (looks[state].height >= 8) { // A bar may be as light as the outline, so a gap is drawn between them.
            m_painter.setPen(m_theme.color("select.gap"));
            m_painter.drawRect(outline.adjusted(1, 1, -1, -1));
        }
        m_painter.setPen(m_theme.color("select.outline"));
        m_painter.drawRect(outline);
        if (looks[state].height >= 11 || mark.text.isEmpty())
            return;
        m_painter.setFont(m_font);
        m_painter.setPen(m_theme.color("text.primary"));
        const double textLeft = std::max(double(m_area.left()), left) + 6;
        const bool isLaid = lane != m_scene.lanes->end() && lane->second;
        const double end = isLaid ? freeUntil(*lane->second, looks, mark.interval.range.end, metrics.band, height + TextGap) : right;
        drawCachedText(m_painter, QPointF(textLeft, bottom - height - TextGap), fitting(mark.text, end - textLeft - 2));
    }

    /// Returns the text, cut to `room` pixels if enough letters are left to distinguish it from other labels; otherwise empty.
    QString distinctLabel(const QString& text, double room) const
    {
        const QString shown = elidedLabel(m_font, text, room);
        return shown == text || shown.size() > LeastLetters ? shown : QString();
    }

    /// Returns the x of the first bar after `from` that is higher than `height`; a text above the bar is free until there.
    double freeUntil(const Lane& lane, const StateLooks& looks, Timestamp from, int band, int height) const
    {
        for (const Span& span : lane.spans.spans) {
            if (span.range.begin < from)
                continue;
            for (std::size_t state = 0; state < looks.size(); ++state) {
                const bool isThere = span.count > 1 ? (span.mask >> state & 1U) != 0 : std::size_t(span.state) == state;
                if (isThere && heightOf(looks[state], band) > height)
                    return x(span.range.begin);
            }
        }
        return m_area.right();
    }

    /// Returns as much of "fdatasync 6.102 ms" as fits `room`: all, only the duration, or the beginning.
    QString fitting(const QString& text, double room) const
    {
        if (cachedTextWidth(m_font, text) <= room)
            return text;
        const QString end = text.section(QStringLiteral("   "), -1);
        return cachedTextWidth(m_font, end) <= room ? end : distinctLabel(text, room);
    }

    QPainter& m_painter;
    const GraphScene& m_scene;
    const Theme& m_theme;
    QRect m_area;
    QFont m_font;
    RowShade m_shade;
};

} // namespace

void paintTimeArea(QPainter& painter, const GraphScene& scene) { TimeAreaPainter(painter, scene).paint(); }

} // namespace helio
