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

/// A filter or search expression over events and intervals, parsed once.
///
/// Operators: == != < <= > >= =~ contains && || ! and parentheses.
/// Values: strings in double quotes; decimal numbers, hexadecimal numbers (0x1f), and both with units (10us); times from the experiment's
/// start (+1.5s).
/// Reserved names: name thread cpu time tid pid host state duration. All other names are payload fields, which may also be written as
/// fields.NAME; contexts are written as context.NAME. The comparison of a missing field is false.
/// Words: a word without an operator matches if it occurs in the name or in any text field.
///
/// `name` compares the name of an event, the function of a call, or the name of a segment; for all other intervals, every name that the row
/// had. `thread` compares every name that the thread had; for an event, only the thread name recorded in the event.
///
/// Immutable.
/// Threads: shared between any threads.
class Expression {
public:
    /// Parses an expression.
    /// Errors: the text names the column, from 1: "column 7: expected a value after ==".
    static Result<std::shared_ptr<const Expression>> parse(std::string_view text);

    virtual ~Expression() = default;
    virtual const std::string& text() const = 0;

    /// True if the expression uses words that may need an indexed trace (thread, tid, pid).
    virtual bool needsStates() const = 0;

    /// True if the expression compares names: uses `name`, or a bare word, which may occur in a name. Callers then look up the functions of
    /// calls, because a call's name differs from the name of its row.
    virtual bool needsNames() const = 0;

    /// True if the expression uses properties that intervals have and rows do not (state, duration, time).
    virtual bool needsIntervals() const = 0;
    /// True if the expression uses properties that only intervals have (state, duration). Unlike needsIntervals(), ignores `time`, which
    /// events have too.
    virtual bool needsDurations() const = 0;

    /// Returns the first field of the expression that is not a reserved word; empty if there is none. Only events and some segments
    /// have such fields.
    virtual std::string firstFieldName() const = 0;

    /// True if the expression contains a time that depends on the experiment's start, such as "+1.5s" or a time of day without a date
    /// ("10:15:00").
    virtual bool needsBegin() const = 0;
};

/// Facts about a row, or about one interval of it, for expressions (filters and highlights of the views).
struct RowFacts {
    const Row* row = nullptr;
    std::vector<std::string> names; ///< Every name that the row had. If an interval or segment of the row has its own name, only that name.
    std::string_view host;
    std::string_view state = {}; ///< Name of the interval's state; empty for items without a state.
    std::optional<Duration> duration = {}; ///< Duration of an interval or segment; nullopt for a row.
    std::optional<Timestamp> time = {}; ///< Start time of the interval or segment; for samples, the time of the sample; nullopt for a row.
    Timestamp start{}; ///< Origin of "+1.5s": the experiment's start.
    /// Every name that the row's thread had. Empty if the row belongs to no thread, or if the names are unknown.
    std::vector<std::string> threads = {};
    std::string_view hostName = {}; ///< Name that the user gave the host, in addition to `host`; empty if the user gave no name.
    /// Fields of a segment in the format of SegmentFields: "disk=sdb;bytes=4096". Empty if the segment has no fields.
    std::string_view fields = {};
    /// True if a word without a field name is searched only in `names`, but not in the row's label, the row's id and `threads`.
    bool matchesNamesOnly = false;
};
bool matches(const Expression& expression, const RowFacts& row);

/// An expression bound to the event types of one trace. Resolves fields to handles once, so that matching an event is fast.
/// Threads: to be used by one thread; the expression and the timeline outlive the matcher.
class EventMatcher {
public:
    static std::unique_ptr<EventMatcher> make(std::shared_ptr<const Expression> expression, const Timeline& timeline, std::uint32_t trace);
    virtual ~EventMatcher() = default;

    /// False if no event of the type can match. Cheap: callers use it to skip events before matches().
    virtual bool canMatch(EventTypeId type) const = 0;
    virtual bool matches(const EventView& event) = 0;
};

} // namespace helio
