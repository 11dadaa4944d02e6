#include "widgets/timeline/graph/lanes/lane.h"

#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/sampled_rows.h"

#include <algorithm>

namespace helio {

QString shortValue(const std::string& value)
{
    const QString text = QString::fromUtf8(value.data(), qsizetype(value.size()));
    if (!text.endsWith(QLatin1Char(')')))
        return text;
    const qsizetype open = text.lastIndexOf(QStringLiteral(" ("));
    if (open <= 0)
        return text;
    for (qsizetype i = open + 2; i < text.size() - 1; ++i) {
        if (!text[i].isDigit())
            return text;
    }
    return text.left(open);
}

namespace {

LaneSources sourcesOf(const LaneQuery& question) { return question.sources ? *question.sources : LaneSources{{question.track, 0}}; }

void addSpans(const Timeline& timeline, const LaneQuery& question, Lane& lane, const std::stop_token& stop)
{
    if (!question.sources) {
        spans(timeline, question.track, question.window, question.resolution, lane.spans, stop);
        lane.ends = colorByValue(timeline, question.track, lane.spans, question.tile.look ? question.tile.look->frames : FrameChoice());
        return;
    }
    LaneSum sum(question.window, question.resolution);
    Spans own;
    for (const LaneSource& source : *question.sources) {
        spans(timeline, source.track, question.window, question.resolution, own, stop);
        sum.add(own, source.firstState);
    }
    sum.take(lane.spans);
}

void addTexts(const Timeline& timeline, const LaneQuery& question, Lane& lane, const std::stop_token& stop)
{
    // A pixel may be shorter than 1 ns, the finest resolution: then any bar may have room for a text.
    const bool isFinest = question.resolution <= Duration(1);
    const double least = isFinest ? 0 : double(question.resolution.count()) * question.pixelsPerPoint * LabelLeast;
    const auto& all = lane.spans.spans;
    for (std::size_t i = 0; i < all.size() && !stop.stop_requested(); ++i) {
        if (all[i].count != 1 || double(all[i].range.duration().count()) < least)
            continue;
        if (QString text = shortValue(valueText(timeline, question.track, all[i].value)); !text.isEmpty())
            lane.texts.push_back({std::uint32_t(i), std::move(text)});
    }
}

void addTicks(const Timeline& timeline, TrackRef row, const LaneQuery& question, Lane& lane, const std::stop_token& stop)
{
    static constexpr TrackRole roles[SampleModes] = {TrackRole::SamplesUser, TrackRole::SamplesKernel, TrackRole::SamplesOther,
                                                     TrackRole::SamplesEvents};
    for (std::size_t mode = 0; mode < SampleModes && !stop.stop_requested(); ++mode) {
        const RowTicks ticks = ticksOf(timeline, row, roles[mode]);
        const TimeRange window = question.window.clippedTo(ticks.life);
        if (!ticks.track.isValid() || window.isEmpty())
            continue;
        Spans found;
        spans(timeline, ticks.track, window, question.resolution, found, stop);
        for (const Span& span : found.spans)
            lane.samples.push_back({span.range.begin, span.count, SampleMode(mode)});
    }
}

/// Adds the events that user-space traces recorded of the row's thread.
void addEvents(const Timeline& timeline, TrackRef row, const LaneQuery& question, Lane& lane, const std::stop_token& stop)
{
    Spans found;
    for (const TrackRef ticks : eventTicks(timeline, row)) {
        spans(timeline, ticks, question.window, question.resolution, found, stop);
        for (const Span& span : found.spans)
            lane.samples.push_back({span.range.begin, span.count, SampleMode::Event});
    }
}

void addSamples(const Timeline& timeline, const LaneQuery& question, Lane& lane, const std::stop_token& stop)
{
    for (const LaneSource& source : sourcesOf(question)) {
        addTicks(timeline, source.track, question, lane, stop);
        addEvents(timeline, source.track, question, lane, stop);
    }
    lane.isOfEvents = isEventThread(timeline, question.track);
    const StateSet& set = statesOf(timeline, question.track);
    const auto isUnknown = [&](const Span& span) {
        const auto state = std::size_t(span.state);
        return (span.count == 1 || span.mask == 1U << state) && state < set.states.size() && isUnknownAtRest(set.states[state]);
    };
    if (!lane.isOfEvents && std::ranges::all_of(lane.spans.spans, isUnknown))
        lane.samplePeriod = samplePeriod(timeline, traceOf(timeline, question.track));
}

} // namespace

std::shared_ptr<const Lane> fetchLane(const Timeline& timeline, const LaneQuery& question, std::stop_token stop)
{
    auto lane = std::make_shared<Lane>();
    lane->window = question.window;
    lane->resolution = question.resolution;
    lane->version = question.version;
    lane->sources = question.sources;
    addSpans(timeline, question, *lane, stop);
    if (question.withTexts) {
        addTexts(timeline, question, *lane, stop);
        addSamples(timeline, question, *lane, stop);
    }
    if (!question.tile.look || stop.stop_requested())
        return lane;
    TileShape tile = question.tile;
    if (lane->samplePeriod > Duration(0) && question.sampledLook)
        tile.look = question.sampledLook;
    lane->tile = LaneTile(lane->spans, question.window, std::move(tile));
    return lane;
}

std::optional<Timestamp> nearestBoundary(const Lane& lane, Timestamp at, Duration reach)
{
    std::optional<Timestamp> nearest;
    for (const Span& span : lane.spans.spans) {
        for (const Timestamp edge : {span.range.begin, span.range.end}) {
            const Duration distance = std::chrono::abs(edge - at);
            if (span.count == 1 && distance <= reach && (!nearest || distance < std::chrono::abs(*nearest - at)))
                nearest = edge;
        }
    }
    return nearest;
}

std::optional<Timestamp> nearestEvent(const Lane& lane, Timestamp at, Duration reach)
{
    std::optional<Timestamp> nearest;
    for (const SampleTicks& tick : lane.samples) {
        const Duration distance = std::chrono::abs(tick.at - at);
        if (!lane.isOfEvents || distance > reach)
            continue;
        nearest = tick.at;
        reach = distance;
    }
    return nearest;
}

TimeRange foldedRangeAt(const Lane& lane, Timestamp at)
{
    TimeRange folded;
    for (const Span& span : lane.spans.spans)
        if (span.count > 1 && span.range.contains(at))
            folded = span.range;
    return folded;
}

} // namespace helio
