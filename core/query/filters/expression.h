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
/// `name` is the name of an event, the function of a call, or the own name of a segment; for anything else, any name that its row held.
/// `thread` is any name that its thread held; for an event, only the thread name in the event itself, if any.
///
/// Immutable.
/// Threads: shared between any threads.
class Expression {
public:
    /// Parses an expression.
    /// Errors: the text names the column, from 1: "column 7: a value is missing after ==".
    static Result<std::shared_ptr<const Expression>> parse(std::string_view text);

    virtual ~Expression() = default;
    virtual const std::string& text() const = 0;

    /// True if it asks for something that only an indexed trace may know (thread, tid, pid).
    virtual bool needsStates() const = 0;

    /// True if it asks for a name, or for a word that may be in a name. The names of calls are not the names of their rows.
    virtual bool needsNames() const = 0;

    /// True if it asks for something that only intervals have (state, duration, time).
    virtual bool needsIntervals() const = 0;
    /// Like needsIntervals(), but without time, which moments have too.
    virtual bool needsDurations() const = 0;

    /// Returns the first field it asks for that is no reserved word; only events and some segments have such fields. Empty: none.
    virtual std::string firstFieldName() const = 0;

    /// True if it counts times from the experiment's begin ("+1.5s", "10:15:00").
    virtual bool needsBegin() const = 0;
};

/// Facts about a row, or about one interval of it, for expressions (filters and highlights of the views).
struct RowFacts {
    const Row* row = nullptr;
    std::vector<std::string> names; ///< Every name that the row held; if the item on the row has a name of its own, only this name.
    std::string_view host;
    std::string_view state = {}; ///< State of an interval; empty if there is none.
    std::optional<Duration> duration = {}; ///< Duration of an interval or segment; nullopt for a row.
    std::optional<Timestamp> time = {}; ///< Begin of the interval or segment, or a moment of the row.
    Timestamp start{}; ///< Origin of "+1.5s": the experiment's begin.
    /// Every name that the row's thread held. Empty: the row belongs to no thread, or its names are not known.
    std::vector<std::string> threads = {};
    std::string_view hostName = {}; ///< Name that the user gave the host. Empty: only `host` is its name.
    std::string_view fields = {}; ///< Fields of a segment in the format of SegmentFields: "disk=sdb;bytes=4096". Empty: it has none.
    bool matchesNamesOnly = false; ///< True if a bare word is searched in `names` alone.
};
bool matches(const Expression& expression, const RowFacts& row);

/// An expression bound to one trace's event types: fields are resolved once, to handles.
/// Threads: to be used by one thread; the expression and the timeline outlive the matcher.
class EventMatcher {
public:
    static std::unique_ptr<EventMatcher> make(std::shared_ptr<const Expression> expression, const Timeline& timeline, std::uint32_t trace);
    virtual ~EventMatcher() = default;

    /// False if no event of this type can match: a quick way out.
    virtual bool canMatch(EventTypeId type) const = 0;
    virtual bool matches(const EventView& event) = 0;
};

} // namespace helio
