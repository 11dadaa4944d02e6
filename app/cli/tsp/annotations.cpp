#include "app/cli/tsp/annotations.h"

#include "core/query/rows/statistics.h"

#include <algorithm>

namespace helio {
namespace {

constexpr const char* LostEvents = "Lost events";

TimeRange recordedRange(const Timeline& timeline) { return {timeline.range.begin, timeline.range.end + Duration(1)}; }

void writeLoss(JsonWriter& json, const LossRange& loss)
{
    json.beginObject();
    json.member("time", nanoseconds(loss.range.begin));
    json.member("duration", loss.range.duration().count());
    json.member("entryId", -1);
    json.member("type", "CHART");
    json.member("label",
                std::to_string(loss.events) + (loss.events == 1 ? " event lost" : " events lost")
                    + (loss.cpu >= 0 ? " on CPU " + std::to_string(loss.cpu) : std::string()));
    json.key("style").beginObject();
    json.key("parentKey").null();
    json.key("values").beginObject();
    json.member("color", "#d4453b");
    json.member("opacity", 0.3);
    json.endObject();
    json.endObject();
    json.endObject();
}

} // namespace

Status writeCategories(ModelText& model, const OutputRequest& request)
{
    JsonWriter& json = model.json();
    json.beginObject();
    json.key("annotationCategories").beginArray();
    if (!losses(*request.timeline, recordedRange(*request.timeline)).empty())
        json.value(LostEvents);
    json.endArray();
    json.endObject();
    return Done{};
}

Status writeAnnotations(ModelText& model, const OutputRequest& request)
{
    if (!request.parameters.times)
        return Error{Error::Kind::Usage, "\"requested_timerange\" is missing"};
    const auto& categories = request.parameters.categories;
    const bool isAsked = !categories || categories->empty() || std::ranges::find(*categories, LostEvents) != categories->end();
    std::vector<LossRange> all;
    if (const TimeRange range = requestedRange(request); isAsked && !range.isEmpty())
        all = losses(*request.timeline, range);
    std::ranges::stable_sort(all, {}, [](const LossRange& loss) { return loss.range.begin; });
    const Duration resolution = requestedResolution(request);
    JsonWriter& json = model.json();
    json.beginObject();
    json.key("annotations").beginObject();
    if (!all.empty()) {
        json.key(LostEvents).beginArray();
        const LossRange* last = nullptr;
        for (const LossRange& loss : all) {
            if (last && loss.range.begin - last->range.begin < resolution && loss.range.end <= last->range.end + resolution)
                continue;
            writeLoss(json, loss);
            last = &loss;
            if (model.isFull())
                return ModelText::tooLong();
        }
        json.endArray();
    }
    json.endObject();
    json.endObject();
    return Done{};
}

} // namespace helio
