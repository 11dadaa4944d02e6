#include "widgets/timegraph/lane.h"

#include "core/query/sampled_use.h"
#include "widgets/timegraph/thread_colors.h"

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

void addTexts(const Timeline& timeline, const LaneQuestion& question, Lane& lane, const std::stop_token& stop)
{
    const double least = double(question.resolution.count()) * question.pixelsPerPoint * LabelLeast;
    const auto& all = lane.spans.spans;
    for (std::size_t i = 0; i < all.size() && !stop.stop_requested(); ++i) {
        if (all[i].count != 1 || double(all[i].range.duration().count()) < least)
            continue;
        if (QString text = shortValue(valueText(timeline, question.track, all[i].value)); !text.isEmpty())
            lane.texts.push_back({std::uint32_t(i), std::move(text)});
    }
}

void addSamples(const Timeline& timeline, const LaneQuestion& question, Lane& lane, const std::stop_token& stop)
{
    static constexpr const char* kinds[SampleModes] = {"samples-user", "samples-kernel", "samples-other", "samples-events"};
    for (std::size_t mode = 0; mode < SampleModes && !stop.stop_requested(); ++mode) {
        const TrackRef track = attributeOf(timeline, question.track, kinds[mode]);
        if (!track.isValid())
            continue;
        Spans found;
        spans(timeline, track, question.window, question.resolution, found, stop);
        for (const Span& span : found.spans)
            lane.samples.push_back({span.range.begin, span.count, SampleMode(mode)});
    }
    const StateSet& set = statesOf(timeline, question.track);
    const auto isUnknown = [&](const Span& span) {
        return span.count == 1 && std::size_t(span.state) < set.states.size() && set.states[std::size_t(span.state)] == "unknown";
    };
    if (!lane.samples.empty() && std::ranges::all_of(lane.spans.spans, isUnknown))
        lane.samplePeriod = samplePeriod(timeline, question.track.trace);
}

} // namespace

std::shared_ptr<const Lane> fetchLane(const Timeline& timeline, const LaneQuestion& question, std::stop_token stop)
{
    auto lane = std::make_shared<Lane>();
    lane->window = question.window;
    lane->resolution = question.resolution;
    lane->version = question.version;
    spans(timeline, question.track, question.window, question.resolution, lane->spans, stop);
    splitByThread(timeline, question.track, lane->spans);
    if (question.withTexts) {
        addTexts(timeline, question, *lane, stop);
        addSamples(timeline, question, *lane, stop);
    }
    if (question.tile.look && !stop.stop_requested())
        lane->tile = LaneTile(lane->spans, question.window, question.tile);
    return lane;
}

} // namespace helio
