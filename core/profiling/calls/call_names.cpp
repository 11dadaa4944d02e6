#include "core/profiling/calls/call_names.h"

#include "core/profiling/samples/profile_nodes.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace helio {
namespace {

/// Cache of the function names (CallNames) of one timeline.
class CallNameCache {
public:
    explicit CallNameCache(const std::shared_ptr<const Timeline>& timeline)
        : m_timeline(timeline)
    {
    }

    bool isOf(const std::shared_ptr<const Timeline>& timeline) const
    {
        return !m_timeline.owner_before(timeline) && !timeline.owner_before(m_timeline);
    }
    bool isOver() const { return m_timeline.expired(); }

    std::shared_ptr<const CallNames> get(const Timeline& timeline, const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, stop, [this] { return m_names || !m_isBeingMade; });
        if (m_names)
            return m_names;
        if (stop.stop_requested()) {
            lock.unlock();
            return std::make_shared<const CallNames>(timeline, stop);
        }
        const Making making(*this, lock);
        auto names = std::make_shared<const CallNames>(timeline, stop);
        lock.lock();
        if (!stop.stop_requested())
            m_names = names;
        return names;
    }

private:
    /// Unlocks the mutex and sets m_isBeingMade while the current thread computes the names. The destructor locks the mutex again,
    /// also after an exception.
    class Making {
    public:
        Making(CallNameCache& place, std::unique_lock<std::mutex>& lock)
            : m_place(place)
            , m_lock(lock)
        {
            m_place.m_isBeingMade = true;
            m_lock.unlock();
        }
        ~Making()
        {
            if (!m_lock.owns_lock())
                m_lock.lock();
            m_place.m_isBeingMade = false;
            m_place.m_changed.notify_all();
        }
        Making(const Making&) = delete;
        Making& operator=(const Making&) = delete;

    private:
        CallNameCache& m_place;
        std::unique_lock<std::mutex>& m_lock;
    };

    const std::weak_ptr<const Timeline> m_timeline;
    std::mutex m_mutex; ///< Guards m_names and m_isBeingMade.
    std::condition_variable_any m_changed;
    std::shared_ptr<const CallNames> m_names;
    bool m_isBeingMade = false;
};

/// Returns the cache of `timeline`, and creates it if it does not exist. Removes the caches of timelines that no longer exist.
std::shared_ptr<CallNameCache> placeOf(const std::shared_ptr<const Timeline>& timeline)
{
    static std::mutex mutex;
    static std::vector<std::shared_ptr<CallNameCache>> places;
    const std::lock_guard lock(mutex);
    std::erase_if(places, [](const auto& place) { return place->isOver(); });
    const auto found = std::ranges::find_if(places, [&](const auto& place) { return place->isOf(timeline); });
    return found != places.end() ? *found : places.emplace_back(std::make_shared<CallNameCache>(timeline));
}

} // namespace

std::shared_ptr<const CallNames> callNamesOf(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop)
{
    return placeOf(timeline)->get(*timeline, stop);
}

CallNames::CallNames(const Timeline& timeline, std::stop_token stop)
{
    StackProfile profile;
    profile.nodes.emplace_back();
    ProfileNodes nodes(profile);
    // Each distinct frame becomes a node without callers, so that an address is named once for all its callers.
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (std::ranges::none_of(store.segments().kinds(), &SegmentKind::hasFrames))
            return;
        nodes.setStore(index, store.stacks());
        m_byStack.resize(static_cast<std::size_t>(index) + 1);
        auto& byStack = m_byStack.back();
        for (const StackNode& node : store.stacks().nodes())
            if (const auto caller = static_cast<std::size_t>(node.parent()); caller != 0 && node.frame().isReturnAddress)
                byStack.push_back(byStack[caller]);
            else
                byStack.push_back(byStack.empty() ? 0 : nodes.intern(0, node.frame()));
    });
    const StackNames names = nameStacks(profile, timeline, {.expandsInlined = false}, nullptr, std::move(stop));
    for (auto& store : m_byStack)
        for (std::uint32_t& node : store)
            node = node == 0 || names.framesOf(node).empty() ? 0 : static_cast<std::uint32_t>(names.framesOf(node).back().function);
    m_functions = names.functions;
}

std::uint32_t CallNames::indexOf(StoreIndex store, StackId stack) const
{
    const auto at = static_cast<std::size_t>(store);
    const auto place = static_cast<std::size_t>(stack);
    return at < m_byStack.size() && place < m_byStack[at].size() ? m_byStack[at][place] : 0;
}

} // namespace helio
