#include "core/experiment/correlation_cache.h"

#include "core/io/partial_file.h"

#include <algorithm>
#include <exception>
#include <new>

namespace helio {
namespace {

/// Runs the correlator. Exceptions become errors, because other threads wait for the result.
Result<CorrelationCache::CorrelationPtr> makeOf(const Correlator& kind, const Timeline& timeline, const CorrelatorRequest& question,
                                                const std::stop_token& stop)
{
    try {
        auto relation = kind.make(timeline, question, stop);
        if (!relation)
            return relation.error();
        return CorrelationCache::CorrelationPtr(std::make_shared<const Correlation>(std::move(*relation)));
    } catch (const std::bad_alloc&) {
        return Error{Error::Kind::Full, "not enough memory"};
    } catch (const std::exception& problem) {
        return Error{Error::Kind::Unreadable, problem.what()};
    }
}

} // namespace

Result<CorrelationCache::CorrelationPtr> CorrelationCache::answer(const Timeline& timeline, std::size_t kind,
                                                                  const CorrelatorRequest& question, const std::stop_token& stop)
{
    const auto kinds = timeline.correlatorRegistry->all();
    if (kind >= kinds.size() || !kinds[kind]->appliesTo(timeline))
        return Error{Error::Kind::NotFound, "the correlator does not apply to the open traces"};
    const Key key = keyOf(timeline, kind, question);
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [&] {
        const auto found = find(key);
        return found == m_entries.end() || found->answer;
    });
    if (stop.stop_requested())
        return Error{Error::Kind::Cancelled, "computing the correlation was cancelled"};
    if (const auto found = find(key); found != m_entries.end()) {
        m_entries.splice(m_entries.begin(), m_entries, found);
        return found->answer;
    }
    m_entries.push_front({key, {}});
    lock.unlock();
    const std::uint64_t missedBefore = PartialFile::missedCount();
    const Result<CorrelationPtr> made = makeOf(*kinds[kind], timeline, question, stop);
    lock.lock();
    if (PartialFile::missedCount() == missedBefore && !stop.stop_requested())
        keep(key, made);
    else // Data on another machine was missing, or a stop ended the wait for it; it may come later.
        keep(key, Error{Error::Kind::Unreadable, "data is missing"});
    return made;
}

/// Stores the result and wakes the threads that wait for it. Without a result, a waiting thread computes it itself.
void CorrelationCache::keep(const Key& key, const Result<CorrelationPtr>& made)
{
    if (made)
        find(key)->answer = *made;
    else
        m_entries.erase(find(key));
    trim(key);
    m_changed.notify_all();
}

CorrelationCache::Key CorrelationCache::keyOf(const Timeline& timeline, std::size_t kind, const CorrelatorRequest& question)
{
    Key key{kind, question, {}, {}, {}, timeline.clockSettings.guests};
    for (const TimelineStore& it : timeline.stores)
        if (!it.isFromCorrelator)
            key.stores.push_back(it.store);
    for (const TimelineTrace& t : timeline.traces)
        key.clocks.push_back(t.clock);
    for (std::size_t other = 0; other < timeline.relations.size(); ++other)
        if (other != kind && timeline.relations[other])
            key.others.push_back(timeline.relations[other]);
    return key;
}

std::list<CorrelationCache::Entry>::iterator CorrelationCache::find(const Key& key)
{
    return std::ranges::find(m_entries, key, &Entry::key);
}

/// Removes results for stores of earlier snapshots, which are not requested again, and the oldest results beyond MaxEntries. Entries that a
/// thread is still computing stay.
void CorrelationCache::trim(const Key& latest)
{
    std::size_t kept = 0;
    std::erase_if(m_entries,
                  [&](const Entry& entry) { return entry.answer && (entry.key.stores != latest.stores || ++kept > MaxEntries); });
}

} // namespace helio
