#include "core/formats/perf_data/recording_target.h"

#include "core/formats/perf_data/description.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace helio::perf {
namespace {

constexpr std::size_t NameSize = 16;
constexpr std::size_t MostThreads = 1 << 20;
constexpr std::size_t MostNamed = 3; ///< Maximum number of thread names in a message.
constexpr std::int32_t AllThreads = -1;
/// Limit of CPU numbers. A number with all bits set, which stands for any CPU, exceeds the limit.
constexpr std::uint64_t MostCpus = 1u << 20;

enum CpuMapKind : std::uint16_t { Numbers, Mask, Range };

std::uint32_t onesIn(BinaryReader words)
{
    std::uint32_t count = 0;
    while (words.left() >= 4)
        count += static_cast<std::uint32_t>(std::popcount(words.u32()));
    return count;
}

/// Returns the last name of a thread. For a command, this is the name of the program that it ran, instead of perf's name before exec.
std::string nameOf(std::int32_t tid, std::string name, std::span<const ProcessRecord> records)
{
    for (const ProcessRecord& record : records)
        if (record.tid == tid && (record.kind == ProcessRecord::Kind::Comm || record.kind == ProcessRecord::Kind::Exec))
            name = record.name;
    return name.empty() ? std::to_string(tid) : "`" + name + "` (" + std::to_string(tid) + ")";
}

} // namespace

void RecordingTarget::takeThreads(BinaryReader map)
{
    for (std::uint64_t left = map.u64(); left > 0 && !map.isCut(); --left) {
        const auto tid = static_cast<std::int32_t>(map.u64());
        const std::string_view name = map.text(NameSize);
        if (map.isCut() || m_threads.size() == MostThreads)
            return;
        m_threads.emplace(tid, name);
    }
}

void RecordingTarget::takeCpus(BinaryReader map)
{
    const std::uint16_t kind = map.u16();
    if (kind == Range) {
        map.skip(2); // Skips a flag for any CPU, and padding.
        const std::uint16_t first = map.u16();
        const std::uint16_t last = map.u16();
        if (!map.isCut() && first <= last)
            m_cpus = last - first + 1;
        return;
    }
    const std::uint16_t count = map.u16();
    const bool hasWideWords = kind == Mask && map.u16() == 8;
    if (hasWideWords)
        // Skips the padding before the 64-bit words (perf_record_mask_cpu_map64, tools/lib/perf/include/perf/event.h).
        map.skip(4);
    if (!map.isCut())
        m_cpus = kind == Mask ? onesIn(map) : count;
}

RecordingScope RecordingTarget::scope(const RecordingDescription& description) const
{
    RecordingScope scope;
    if (!m_threads.contains(AllThreads))
        for (const auto& [tid, name] : m_threads)
            scope.threads.push_back(tid);
    const bool hasAllThreads = scope.threads.empty();
    scope.hasChildren = !hasAllThreads && std::ranges::any_of(description.attributes, &Attribute::isInherited);
    // Selected threads are recorded on all CPUs, whatever CPU map the recording contains.
    scope.hasAllCpus = !hasAllThreads || !m_cpus || description.onlineCpus == 0 || *m_cpus >= description.onlineCpus;
    return scope;
}

std::string RecordingTarget::text(const RecordingScope& scope, std::span<const ProcessRecord> records) const
{
    if (!scope.hasAllCpus)
        return "recorded on " + std::to_string(m_cpus.value_or(0))
            + " of the CPUs only: threads on other CPUs have unknown states; record all CPUs with perf record -a, "
              "without -C";
    std::string names;
    for (std::size_t i = 0; i < std::min(scope.threads.size(), MostNamed); ++i)
        names += (i == 0 ? "" : ", ") + nameOf(scope.threads[i], m_threads.at(scope.threads[i]), records);
    if (scope.threads.size() > MostNamed)
        names += " and " + std::to_string(scope.threads.size() - MostNamed) + " more";
    if (names.empty())
        return {};
    const bool isOne = scope.threads.size() == 1 && !scope.hasChildren;
    return "recorded without -a: only the thread" + std::string(isOne ? " " : "s ") + (scope.hasChildren ? "of " : "") + names
        + (isOne ? " has" : " have")
        + " states, from an event that shows where a thread runs until it leaves the CPU; other threads, and "
          "CPUs in the meantime, are unknown. Record all threads with perf record -a";
}

void EventIdCpus::take(BinaryReader index)
{
    std::vector<std::uint64_t> ids;
    for (std::uint64_t left = index.u64(); left > 0 && !index.isCut(); --left) {
        const std::uint64_t id = ids.emplace_back(index.u64());
        index.skip(8); // Skips the index of the event in perf's own tables.
        const std::uint64_t cpu = index.u64();
        index.skip(8); // Skips the thread id.
        if (!index.isCut() && cpu < MostCpus)
            m_cpus[id] = static_cast<std::int32_t>(cpu);
    }
    // Since Linux 6.0, a list of guests follows the list of event IDs. Its entries are in the order of the event IDs.
    for (std::size_t i = 0; i < ids.size() && index.left() >= 16; ++i) {
        const std::uint64_t guest = index.u64();
        const std::uint64_t vcpu = index.u64();
        if (guest == 0 || guest > std::uint64_t(std::numeric_limits<std::int32_t>::max()))
            continue;
        m_guests[ids[i]] = static_cast<std::int32_t>(guest);
        if (vcpu < MostCpus)
            m_vcpus[ids[i]] = static_cast<std::int32_t>(vcpu);
    }
}

std::vector<EnumRange> EventIdCpus::guestLabels() const
{
    constexpr std::size_t MostLabels = 10'000; // The labels are searched one by one for each event that is shown.
    std::vector<EnumRange> labels;
    for (const auto& [id, guest] : m_guests) {
        if (labels.size() == MostLabels)
            break;
        const auto vcpu = m_vcpus.find(id);
        labels.push_back({"guest " + std::to_string(guest) + (vcpu == m_vcpus.end() ? "" : " vCPU " + std::to_string(vcpu->second)),
                          static_cast<std::int64_t>(id), static_cast<std::int64_t>(id)});
    }
    return labels;
}

std::int32_t EventIdCpus::guestOf(std::uint64_t id) const
{
    const auto found = m_guests.find(id);
    return found == m_guests.end() ? NoGuest : found->second;
}

std::int32_t EventIdCpus::of(std::uint64_t id) const
{
    const auto found = m_cpus.find(id);
    return found == m_cpus.end() ? -1 : found->second;
}

} // namespace helio::perf
