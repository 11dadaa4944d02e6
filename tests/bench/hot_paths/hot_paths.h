#pragma once

#include "core/experiment/timeline.h"
#include "core/query/filters/expression.h"
#include "core/query/rows/rows.h"
#include "tests/bench/suite/reading.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace helio::bench {
class FrameRenderer;
}

// Marks the functions whose instructions are counted, because the user waits for their loops. C names let callgrind select them. They are
// in a file of their own, so that the compiler does not inline them into their callers.

#define HELIO_HOT_PATH extern "C" __attribute__((noinline))

HELIO_HOT_PATH void hot_decode(const helio::Trace& trace);
HELIO_HOT_PATH void hot_fields(const helio::bench::KernelFields& fields);
HELIO_HOT_PATH void hot_merge(const helio::Trace& trace);
HELIO_HOT_PATH void hot_analyse(const helio::Trace& trace);
HELIO_HOT_PATH bool hot_ingest(const helio::Trace& trace, const std::filesystem::path& folder);
HELIO_HOT_PATH void hot_spans(const helio::Timeline& timeline, const std::vector<helio::TrackRef>& tracks,
                              const std::vector<helio::TimeRange>& windows);
HELIO_HOT_PATH void hot_paint(helio::bench::FrameRenderer& maker);
HELIO_HOT_PATH void hot_search(const std::shared_ptr<const helio::Timeline>& timeline,
                               const std::shared_ptr<const helio::Expression>& expression);
HELIO_HOT_PATH void hot_jump(const std::shared_ptr<const helio::Timeline>& timeline, const std::vector<std::uint64_t>& places);
