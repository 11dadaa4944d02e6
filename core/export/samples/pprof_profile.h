#pragma once

#include "core/profiling/samples/call_tree.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// Builds a profile in the format of pprof (profile.proto in github.com/google/pprof) from samples of several kinds. Equal input gives
/// equal bytes.
///
/// Each kind of samples gives two values of each sample: the sum of the weights, named like the kind, and the number of samples, for
/// example "cpu-clock" in nanoseconds and "cpu-clock samples". Kinds whose samples are sums or counts give only the first value. Labels are
/// the thread and the process with their ids, the CPU, and the host if there are several hosts. All labels are texts: readers ignore a
/// number 0.
///
/// Threads: to be used by one thread.
/// Memory: proportional to the number of different stacks per thread and CPU.
class PprofProfile {
public:
    /// Ownership: the timeline must outlive the object.
    explicit PprofProfile(const Timeline& timeline);

    /// Adds the kinds of samples of the profile. Must be called for each kind before add().
    void addType(const SampleKind& kind);

    /// Adds samples of a kind that was passed to addType(), in the same order of kinds.
    /// Cost: looks up the source lines of each address once.
    void add(const StackProfile& profile, const StackNames& names);

    /// Passes the messages of the profile to `write`, in chunks: the bytes of a file, before compression.
    void write(const std::function<void(std::string_view)>& write);

private:
    using StringId = std::uint64_t;

    struct ValueType {
        StringId name = 0;
        StringId unit = 0;
    };
    struct Mapping {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        StringId file = 0;
        StringId buildId = 0;
        bool hasFunctions = true;
        bool hasFiles = false;
        bool hasLines = false;
        bool hasInlined = false;
    };
    struct Function {
        StringId name = 0;
        StringId systemName = 0;
        StringId file = 0;
        std::int64_t line = 0;
        auto operator<=>(const Function&) const = default;
    };
    struct Line {
        std::uint64_t function = 0;
        std::int64_t line = 0;
        auto operator<=>(const Line&) const = default;
    };
    struct Location {
        std::uint64_t mapping = 0; ///< Id of the mapping; 0 if the frame lies in no module.
        std::uint64_t address = 0;
        std::vector<Line> lines; ///< Functions at the address, innermost first.
        auto operator<=>(const Location&) const = default;
    };
    struct Label {
        StringId key = 0;
        StringId value = 0;
        auto operator<=>(const Label&) const = default;
    };
    struct Sample {
        std::vector<std::uint64_t> locations; ///< Ids of the locations, innermost first.
        std::vector<Label> labels;
        auto operator<=>(const Sample&) const = default;
    };
    /// Positions of the values of one kind of samples in the list of types.
    struct KindValues {
        std::size_t firstType = 0; ///< Index of the type of the weights.
        bool hasCount = false; ///< True if the next type counts the samples.
    };

    StringId text(std::string_view text);
    std::uint64_t locationOf(const CollectedNode& node, std::span<const NamedFrame> frames, const StackNames& names);
    std::uint64_t mappingOf(const CollectedNode& node);
    std::vector<Label> labelsOf(const SampledThread& thread, std::int32_t cpu);

    const Timeline& m_timeline;
    std::unordered_map<std::string, StringId> m_textIds;
    std::vector<const std::string*> m_texts; ///< Texts by id; point into m_textIds.
    std::vector<ValueType> m_types;
    std::vector<KindValues> m_kinds;
    std::size_t m_nextKind = 0; ///< Index of the kind that the next add() adds.
    std::vector<Mapping> m_mappings;
    /// Ids by host, kind, path, build-id and pid.
    std::map<std::tuple<std::uint32_t, int, std::string, std::string, std::int32_t>, std::uint64_t> m_mappingIds;
    std::map<Function, std::uint64_t> m_functionIds;
    std::vector<Function> m_functions;
    std::map<Location, std::uint64_t> m_locationIds;
    std::vector<const Location*> m_locations; ///< Locations by id; point into m_locationIds.
    std::map<Sample, std::vector<std::int64_t>> m_samples; ///< Values of each sample, one for each type.
    StringId m_defaultType = 0;
    ValueType m_periodType;
    std::int64_t m_period = 0; ///< Period of the first kind if it is constant; 0 otherwise.
    TimeRange m_range{Timestamp::max(), Timestamp::min()}; ///< Range of all samples.
};

} // namespace helio
