#include "core/sql/engine/added_functions.h"

#include "core/sql/engine/sqlite_objects.h"
#include "core/sql/engine/table.h"

#include <exception>
#include <new>
#include <sqlite3.h>
#include <utility>

namespace helio::sql {
namespace {

constexpr int FunctionFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

std::vector<Value> copyArguments(int count, sqlite3_value** arguments)
{
    std::vector<Value> values;
    values.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        values.push_back(copyOf(arguments[i]));
    return values;
}

void fail(sqlite3_context* context, const std::string& function, const Error& error)
{
    sqlite3_result_error(context, (function + "(): " + error.what).c_str(), -1);
}

/// Calls `action`, and turns an exception into an error of the function: exceptions must not pass through the C code of SQLite.
template <typename Action> void callGuarded(sqlite3_context* context, const Action& action)
{
    try {
        action();
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(context);
    } catch (const std::exception& error) {
        sqlite3_result_error(context, error.what(), -1);
    }
}

void callFunction(sqlite3_context* context, int count, sqlite3_value** arguments)
{
    const auto& function = *static_cast<const Function*>(sqlite3_user_data(context));
    callGuarded(context, [&] {
        const Result<Value> result = function.compute(copyArguments(count, arguments));
        if (result)
            ValueSink(context).value(*result);
        else
            fail(context, function.name, result.error());
    });
}

/// Returns SQLite's memory for a group: a pointer to its state, null before the first row.
GroupState** stateOf(sqlite3_context* context, bool isCreated)
{
    return static_cast<GroupState**>(sqlite3_aggregate_context(context, isCreated ? int(sizeof(GroupState*)) : 0));
}

void addToGroup(sqlite3_context* context, int count, sqlite3_value** arguments)
{
    const auto& function = *static_cast<const AggregateFunction*>(sqlite3_user_data(context));
    GroupState** const state = stateOf(context, true);
    if (!state)
        return sqlite3_result_error_nomem(context);
    callGuarded(context, [&] {
        if (!*state)
            *state = function.begin().release();
        if (const Status added = (*state)->add(copyArguments(count, arguments)); !added)
            fail(context, function.name, added.error());
    });
}

/// Returns the result of a group, and frees its state. SQLite calls this function for each group, also after an error.
void finishGroup(sqlite3_context* context)
{
    const auto& function = *static_cast<const AggregateFunction*>(sqlite3_user_data(context));
    GroupState** const state = stateOf(context, false);
    const std::unique_ptr<GroupState> owned(state ? std::exchange(*state, nullptr) : nullptr);
    callGuarded(context, [&] { ValueSink(context).value(owned ? owned->result() : function.ofNoRows); });
}

} // namespace

int addFunction(sqlite3* connection, Function function)
{
    auto owned = std::make_unique<Function>(std::move(function));
    const std::string name = owned->name;
    const int arguments = owned->arguments;
    return sqlite3_create_function_v2(connection, name.c_str(), arguments, FunctionFlags, owned.release(), &callFunction, nullptr, nullptr,
                                      [](void* data) { delete static_cast<Function*>(data); });
}

int addAggregate(sqlite3* connection, AggregateFunction function)
{
    auto owned = std::make_unique<AggregateFunction>(std::move(function));
    const std::string name = owned->name;
    const int arguments = owned->arguments;
    return sqlite3_create_function_v2(connection, name.c_str(), arguments, FunctionFlags, owned.release(), nullptr, &addToGroup,
                                      &finishGroup, [](void* data) { delete static_cast<AggregateFunction*>(data); });
}

} // namespace helio::sql
