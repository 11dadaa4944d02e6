#include "widgets/timegraph/lane.h"

#include "widgets/timegraph/thread_colors.h"

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

std::shared_ptr<const Lane> fetchLane(const Timeline& timeline, TrackRef track, TimeRange window, Duration resolution,
                                      double pixelsPerPoint, std::uint64_t version, bool withTexts, std::stop_token stop)
{
    auto lane = std::make_shared<Lane>();
    lane->window = window;
    lane->resolution = resolution;
    lane->version = version;
    spans(timeline, track, window, resolution, lane->spans, stop);
    splitByThread(timeline, track, lane->spans);
    if (!withTexts)
        return lane;
    const double least = double(resolution.count()) * pixelsPerPoint * LabelLeast;
    const auto& all = lane->spans.spans;
    for (std::size_t i = 0; i < all.size() && !stop.stop_requested(); ++i) {
        if (all[i].count != 1 || double(all[i].range.duration().count()) < least)
            continue;
        if (QString text = shortValue(valueText(timeline, track, all[i].value)); !text.isEmpty())
            lane->texts.push_back({std::uint32_t(i), std::move(text)});
    }
    return lane;
}

} // namespace helio
