#include "core/formats/perf_data/attribute.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace helio::perf {
namespace {

constexpr std::size_t FirstVersionSize = 64;
constexpr std::size_t KnownSize = 136;

constexpr std::array<std::string_view, 10> Hardware{
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};
constexpr std::array<std::string_view, 12> Software{
    "cpu-clock",        "task-clock",       "page-faults", "context-switches", "cpu-migrations",  "minor-faults", "major-faults",
    "alignment-faults", "emulation-faults", "dummy",       "bpf-output",       "cgroup-switches",
};

/// Reverses the order of bits, because big-endian machines store bit fields from the opposite end.
std::uint64_t reversed(std::uint64_t bits)
{
    std::uint64_t result = 0;
    for (int i = 0; i < 64; ++i)
        result |= (bits >> i & 1) << (63 - i);
    return result;
}

std::string hexadecimal(std::uint64_t number)
{
    std::array<char, 20> room{};
    return "0x" + std::string(room.data(), std::to_chars(room.begin(), room.end(), number, 16).ptr);
}

} // namespace

std::optional<Attribute> readAttribute(std::span<const std::byte> bytes, ByteOrder order)
{
    if (bytes.size() < FirstVersionSize)
        return {};
    std::array<std::byte, KnownSize> whole{};
    std::copy_n(bytes.begin(), std::min(bytes.size(), whole.size()), whole.begin());
    const auto u32 = [&](std::size_t at) { return loadWord<std::uint32_t>(whole.data() + at, order); };
    const auto u64 = [&](std::size_t at) { return loadWord<std::uint64_t>(whole.data() + at, order); };
    Attribute a;
    a.type = u32(0);
    a.config = u64(8);
    a.period = u64(16);
    a.sampleType = u64(24);
    a.readFormat = u64(32);
    a.flags = order == ByteOrder::Little ? u64(40) : reversed(u64(40));
    a.branchType = u64(72);
    a.userRegisters = u64(80);
    a.clockId = static_cast<std::int32_t>(u32(92));
    a.interruptRegisters = u64(96);
    return a;
}

std::string nameOf(const Attribute& attribute)
{
    const std::uint64_t config = attribute.config;
    switch (static_cast<EventSource>(attribute.type)) {
    case EventSource::Hardware:
        if (config < Hardware.size())
            return std::string(Hardware[config]);
        break;
    case EventSource::Software:
        if (config < Software.size())
            return std::string(Software[config]);
        break;
    case EventSource::Tracepoint: return "tracepoint " + std::to_string(config);
    case EventSource::HardwareCache: return "cache " + hexadecimal(config);
    case EventSource::Raw: return "raw " + hexadecimal(config);
    case EventSource::Breakpoint: return "breakpoint";
    }
    return "event " + std::to_string(attribute.type) + ":" + hexadecimal(config);
}

// Returns the same modifiers as evsel__add_modifiers() in perf's tools/perf/util/evsel.c.
std::string makeModifiers(const Attribute& attribute)
{
    std::string text;
    const bool isCut = attribute.excludesKernel() || attribute.excludesUser() || attribute.excludesHypervisor();
    const auto addIf = [&text](bool isWanted, char letter) { text.append(isWanted ? 1 : 0, letter); };
    addIf(isCut && !attribute.excludesKernel(), 'k');
    addIf(isCut && !attribute.excludesUser(), 'u');
    addIf(isCut && !attribute.excludesHypervisor(), 'h');
    text.append(attribute.precision(), 'p');
    const bool isGuestExcludedByDefault = isCut || attribute.precision() > 0;
    if (attribute.excludesHost() || attribute.excludesGuest() == isGuestExcludedByDefault) {
        addIf(!attribute.excludesHost(), 'H');
        addIf(!attribute.excludesGuest(), 'G');
    }
    return text.empty() ? text : ':' + text;
}

std::int64_t estimateSpacing(const Attribute& attribute)
{
    // Values of PERF_COUNT_HW_*, which are in the low 32 bits of `config`. The high bits identify the PMU of a hybrid machine.
    constexpr std::uint64_t Cycles = 0, ReferenceCycles = 9;
    const std::uint64_t counter = attribute.config & 0xffffffff;
    const bool areCycles =
        attribute.type == static_cast<std::uint32_t>(EventSource::Hardware) && (counter == Cycles || counter == ReferenceCycles);
    return areCycles && attribute.isFrequency() && attribute.period > 0 ? static_cast<std::int64_t>(1'000'000'000 / attribute.period) : 0;
}

} // namespace helio::perf
