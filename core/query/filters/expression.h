#pragma once

#include "core/base/result.h"
#include "core/query/rows/rows.h"
#include "core/trace/event.h"
#include "core/trace/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// A filter or search expression over events, parsed once.
///
///   == != < <= > >= =~ contains && || ! ()   strings in double quotes, numbers decimal or 0x, with units (10us, +1.5s);
///   a bare word is found anywhere (name or any text field); a missing field is false. Reserved: name thread cpu time tid pid host state
///   duration; a payload field by its bare name or fields.x, contexts as context.x.
///
/// `name` is the name of what is asked: an event's, a call's function, what a segment has as its own, else any name its row held; `thread`
/// any name that its thread held, of an event the one that it says itself, if any.
///
/// Immutable; shared between threads.
class Expression {
public:
    /// The error names the column (from 1): "column 7: a value is missing after ==".
    static Result<std::shared_ptr<const Expression>> parse(std::string_view text);

    virtual ~Expression() = default;
    virtual const std::string& text() const = 0;

    /// Whether it asks for something that only an indexed trace may know (thread, tid, pid).
    virtual bool needsStates() const = 0;

    /// Whether it asks for a name, or for a word in one: calls have others than their rows.
    virtual bool needsNames() const = 0;

    /// Whether it asks for something that only an interval of a row has (state, duration, time).
    virtual bool needsIntervals() const = 0;
    /// The same but for time, which moments have too.
    virtual bool needsDurations() const = 0;

    /// The first field it asks for that is no reserved word: only events and some segments have such. Empty: it asks for none.
    virtual std::string ownField() const = 0;

    /// Whether it counts times from the experiment's begin ("+1.5s", "10:15:00").
    virtual bool needsBegin() const = 0;
};

/// What a row, or one interval of it, offers to an expression (filters and highlights of the views).
struct RowFacts {
    const Row* row = nullptr;
    std::vector<std::string> names; ///< Any name held; of something with a name of its own that alone.
    std::string_view host;
    std::string_view state = {}; ///< Of an interval; empty where there is none.
    std::optional<Duration> duration = {}; ///< Of an interval or a segment.
    std::optional<Timestamp> time = {}; ///< Its begin; or a moment of the row's.
    Timestamp start{}; ///< What "+1.5s" counts from: the experiment's begin.
    std::vector<std::string> threads = {}; ///< Any name that its thread held. Empty: it is of none, or that is not known.
    std::string_view hostName = {}; ///< What a person calls the host. Empty: `host`.
    std::string_view fields = {}; ///< Of a segment, as SegmentFields has them: "disk=sdb;bytes=4096". Empty: it has none.
    bool isFoundByName = false; ///< A word is looked for in `names` alone.
};
bool matches(const Expression& expression, const RowFacts& row);

/// An expression bound to one trace's event types: fields found once, by handle. One thread. Both outlive it.
class EventMatcher {
public:
    static std::unique_ptr<EventMatcher> make(std::shared_ptr<const Expression> expression, const Timeline& timeline, std::uint32_t trace);
    virtual ~EventMatcher() = default;

    /// Whether events of this type can match at all: a quick way out.
    virtual bool canMatch(EventTypeId type) const = 0;
    virtual bool matches(const EventView& event) = 0;
};

} // namespace helio
