#pragma once

#include "core/experiment/timeline.h"

#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Cache of the latest results of correlators that run on request. A result is reused until the timeline has other stores, clocks or guests
/// than those from which the result was computed.
///
/// Threads: all methods from any thread. A caller waits if another thread is computing the same result.
class CorrelationCache {
public:
    using CorrelationPtr = std::shared_ptr<const Correlation>;

    /// Returns the result of correlator `kind` for `question`, from the cache if possible.
    /// Errors: those of Correlator::make(); NotFound if the correlator does not exist or does not apply; Cancelled if `stop` is requested,
    /// also while waiting for another thread; Full if memory is exhausted.
    Result<CorrelationPtr> answer(const Timeline& timeline, std::size_t kind, const CorrelatorRequest& question,
                                  const std::stop_token& stop);

private:
    static constexpr std::size_t MaxEntries = 16;

    /// All inputs on which the result of a correlator depends.
    struct Key {
        std::size_t kind = 0;
        CorrelatorRequest question;
        std::vector<std::shared_ptr<const Store>> stores;
        std::vector<ClockTransform> clocks;
        std::vector<std::shared_ptr<const Correlation>> others; ///< Results of all other correlators, which this correlator may use.
        std::map<std::string, GuestOverride> guests;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        CorrelationPtr answer; ///< Result of the correlator; null while a thread is computing it.
    };

    static Key keyOf(const Timeline& timeline, std::size_t kind, const CorrelatorRequest& question);
    std::list<Entry>::iterator find(const Key& key);
    void keep(const Key& key, const Result<CorrelationPtr>& made);
    void trim(const Key& latest);

    std::mutex m_mutex; ///< Guards all members below.
    std::condition_variable_any m_changed;
    std::list<Entry> m_entries; ///< Cache entries; the most recently requested entry is first.
};

} // namespace helio
