#include "core/virtualization/vcpu_threads.h"

#include "core/event_model/vcpu_modes.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace helio::machines {
namespace {

bool isThread(const Track& track) { return track.role == TrackRole::Thread && !track.view.empty(); }

bool isOfModes(const Track& track) { return track.kind == VcpuThreadKind && track.view.empty(); }

/// Collects the vCPU threads of one trace by track key. If a TID was reused, each thread has its own key.
class Threads {
public:
    Threads(const Timeline& timeline, std::uint32_t trace)
    {
        forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
            forEachTrack(index, store, TrackRole::Other, [&](TrackRef ref, const Track& track) {
                if (isOfModes(track))
                    m_modes.emplace_back(ref, &track);
            });
            forEachTrack(index, store, TrackRole::Thread, [&](TrackRef ref, const Track& track) {
                if (isThread(track) && !isOfAllTraces(timeline, index))
                    m_threads.try_emplace(track.key, ref, &track);
            });
        });
    }

    std::vector<VcpuThread> take(std::span<const GuestEvidence> evidence)
    {
        for (const auto& [ref, track] : m_modes)
            if (VcpuThread* thread = add(track->key)) {
                thread->modes = ref;
                thread->number = track->cpu;
                thread->method = track->label;
            }
        for (const auto& [key, of] : m_threads)
            if (numberInName(of.second->label))
                add(key);
        for (const GuestEvidence& seen : evidence)
            for (const auto& [key, of] : m_threads)
                if (of.second->tid == seen.hostTid)
                    (seen.isRecorded ? add(key)->recorded : add(key)->called) = seen.guestCpu;
        std::vector<VcpuThread> all;
        for (auto& [key, thread] : m_found)
            all.push_back(std::move(thread));
        std::ranges::sort(all, {}, &VcpuThread::tid);
        return all;
    }

private:
    /// Returns the vCPU thread with a track key and adds it to m_found if needed; nullptr if the trace has no row with this key.
    VcpuThread* add(const std::string& key)
    {
        const auto row = m_threads.find(key);
        if (row == m_threads.end())
            return nullptr;
        const auto [found, isNew] = m_found.try_emplace(key);
        if (isNew) {
            found->second.thread = row->second.first;
            found->second.tid = row->second.second->tid;
            found->second.named = numberInName(row->second.second->label);
        }
        return &found->second;
    }

    std::vector<std::pair<TrackRef, const Track*>> m_modes;
    std::map<std::string, std::pair<TrackRef, const Track*>> m_threads;
    std::map<std::string, VcpuThread> m_found;
};

/// If several threads have the same vCPU number, sets the number of all of them to -1 (unknown).
void dropShared(std::vector<VcpuThread>& threads)
{
    std::map<std::int32_t, int> counts;
    for (const VcpuThread& it : threads)
        ++counts[it.number];
    for (VcpuThread& it : threads)
        if (counts[it.number] > 1)
            it.number = -1;
}

/// Gives each thread without a vCPU number the number numberOf(thread), unless another thread has this number. `method` is the evidence for
/// the number (VcpuThread::method).
template <typename NumberOf> void number(std::vector<VcpuThread>& threads, const char* method, const NumberOf& numberOf)
{
    std::set<std::int32_t> taken;
    for (const VcpuThread& it : threads)
        taken.insert(it.number);
    for (VcpuThread& it : threads)
        if (const auto number = it.number < 0 ? numberOf(it) : std::nullopt; number && *number >= 0 && taken.insert(*number).second) {
            it.number = *number;
            it.method = method;
        }
}

} // namespace

std::vector<VcpuThread> findVcpuThreads(const Timeline& timeline, std::span<const GuestEvidence> evidence)
{
    std::vector<VcpuThread> all;
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace) {
        std::vector<GuestEvidence> here;
        std::ranges::copy_if(evidence, std::back_inserter(here), [&](const GuestEvidence& it) { return it.hostTrace == trace; });
        std::vector<VcpuThread> found = Threads(timeline, trace).take(here);
        std::ranges::move(found, std::back_inserter(all));
    }
    return all;
}

void numberVcpus(std::vector<VcpuThread>& threads)
{
    dropShared(threads);
    number(threads, Recording, [](const VcpuThread& it) { return it.recorded; });
    number(threads, "hypercalls", [](const VcpuThread& it) { return it.called; });
    number(threads, "thread name", [](const VcpuThread& it) { return it.named; });
    std::int32_t next = 0;
    number(threads, "order of threads", [&](const VcpuThread&) {
        while (std::ranges::count(threads, next, &VcpuThread::number) > 0)
            ++next;
        return std::optional(next++);
    });
}

std::optional<std::int32_t> numberInName(std::string_view name)
{
    constexpr std::string_view Begin = "CPU ", End = "/KVM";
    if (!name.starts_with(Begin) || !name.ends_with(End) || name.size() <= Begin.size() + End.size())
        return {};
    const std::string_view digits = name.substr(Begin.size(), name.size() - Begin.size() - End.size());
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() && number >= 0 ? std::optional(number) : std::nullopt;
}

std::int32_t processOfThread(const Timeline& timeline, std::uint32_t trace, std::int32_t tid)
{
    std::int32_t process = -1;
    forEachStoreOf(timeline, trace, [&](StoreIndex, const Store& store) {
        for (const TrackId it : store.tracksOf(TrackRole::Thread, tid))
            if (const Track& track = store.tracks()[static_cast<std::size_t>(it)]; process < 0 && !track.view.empty())
                process = track.pid >= 0 ? track.pid : tid;
    });
    return process;
}

bool isVcpuEvidence(const Track& track) { return isOfModes(track) || (isThread(track) && numberInName(track.label)); }

} // namespace helio::machines
