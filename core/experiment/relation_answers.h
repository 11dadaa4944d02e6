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

/// What relations answered to the questions that they were asked last: who asks again has the answer at once, as long as the stores, the
/// clocks and the guests that it was made from are still those of the timeline.
///
/// Threads: any at once; who asks for what another is just finding waits for it.
class RelationAnswers {
public:
    using Answer = std::shared_ptr<const Relation>;

    /// Errors: those of RelationKind::make(); NotFound: the kind is not there, or does not apply; Cancelled: also while it waits; Full.
    Result<Answer> answer(const Timeline& timeline, std::size_t kind, const RelationQuestion& question, const std::stop_token& stop);

private:
    static constexpr std::size_t MostKept = 16;

    /// All that an answer depends on.
    struct Key {
        std::size_t kind = 0;
        RelationQuestion question;
        std::vector<std::shared_ptr<const Store>> stores;
        std::vector<ClockTransform> clocks;
        std::vector<std::shared_ptr<const Relation>> others; ///< Relations of other kinds.
        std::map<std::string, GivenGuest> guests;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        Answer answer; ///< Null: somebody is just finding it.
    };

    static Key keyOf(const Timeline& timeline, std::size_t kind, const RelationQuestion& question);
    std::list<Entry>::iterator find(const Key& key);
    void keep(const Key& key, const Result<Answer>& made);
    void trim(const Key& latest);

    std::mutex m_mutex; ///< Guards what follows.
    std::condition_variable_any m_changed;
    std::list<Entry> m_entries; ///< The last one asked for first.
};

} // namespace helio
