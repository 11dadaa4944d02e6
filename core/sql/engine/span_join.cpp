#include "core/sql/engine/span_join.h"

#include "core/sql/dialect/tokens.h"
#include "core/sql/engine/database.h"
#include "core/sql/engine/guarded.h"
#include "core/sql/engine/sqlite_objects.h"
#include "core/sql/engine/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <re2/re2.h>
#include <sqlite3.h>
#include <string>
#include <vector>

namespace helio::sql {
namespace {

enum class JoinKind : std::uint8_t { Inner, Left, Outer };

struct JoinName {
    const char* module;
    JoinKind kind;
};
constexpr std::array JoinNames{JoinName{"span_join", JoinKind::Inner}, JoinName{"span_left_join", JoinKind::Left},
                               JoinName{"span_outer_join", JoinKind::Outer}};

/// One of the two joined tables.
struct JoinedTable {
    std::string name;
    std::string partition; ///< Column by which rows are parted; empty if they are not.
    std::vector<std::string> columns; ///< All columns, as `SELECT *` returns them.
    std::size_t ts = 0;
    std::size_t dur = 0;
    std::optional<std::size_t> partitionColumn;

    /// True if a column of the table is a column of its own in the joined table.
    bool isOwn(std::size_t column) const { return column != ts && column != dur && column != partitionColumn; }
    std::string query(bool isLimited) const
    {
        std::string text = "SELECT * FROM " + quotedName(name);
        if (isLimited && partitionColumn)
            text += " WHERE " + quotedName(partition) + " = ?1";
        text += " ORDER BY ";
        if (partitionColumn)
            text += quotedName(partition) + ", ";
        return text + "ts";
    }
};

struct SpanJoin : sqlite3_vtab {
    sqlite3* connection = nullptr;
    JoinKind kind = JoinKind::Inner;
    JoinedTable left;
    JoinedTable right;
    std::string partition; ///< Name of the partition column; empty if neither table has one.
    /// Sources of the columns after ts, dur and the partition: the table and the column in it.
    std::vector<std::pair<const JoinedTable*, std::size_t>> sources;

    int firstSource() const { return partition.empty() ? 2 : 3; }
};

/// Reads the rows of one joined table, in the order of partition and time.
class SpanReader {
public:
    /// Prepares the query. Returns false on an error, which the connection then has.
    bool open(sqlite3* connection, const JoinedTable& table, const Value* wanted)
    {
        m_table = &table;
        sqlite3_stmt* made = nullptr;
        if (sqlite3_prepare_v2(connection, table.query(wanted != nullptr).c_str(), -1, &made, nullptr) != SQLITE_OK)
            return false;
        m_statement.reset(made);
        m_wanted = wanted ? *wanted : Value();
        // A table without the partition column has no parameter.
        if (sqlite3_bind_parameter_count(made) > 0 && bindValue(made, 1, m_wanted) != SQLITE_OK)
            return false;
        return rewind();
    }

    /// Starts with the first row again.
    bool rewind()
    {
        sqlite3_reset(m_statement.get());
        return next();
    }

    /// Moves to the next row with a duration and a partition. Returns false on an error.
    bool next()
    {
        for (;;) {
            const int code = sqlite3_step(m_statement.get());
            m_isAtEnd = code != SQLITE_ROW;
            if (code != SQLITE_ROW)
                return code == SQLITE_DONE;
            begin = sqlite3_column_int64(m_statement.get(), static_cast<int>(m_table->ts));
            const std::int64_t length = sqlite3_column_int64(m_statement.get(), static_cast<int>(m_table->dur));
            if (length <= 0 || __builtin_add_overflow(begin, length, &end))
                continue;
            partition = m_table->partitionColumn ? value(*m_table->partitionColumn) : Value();
            // SQLite sorts integers and reals by their values, so that equal ones must be equal here.
            constexpr double LargestExact = 9e15;
            if (const auto* real = std::get_if<double>(&partition); real && std::floor(*real) == *real && std::abs(*real) < LargestExact)
                partition = static_cast<std::int64_t>(*real);
            if (!m_table->partitionColumn || !std::holds_alternative<std::monostate>(partition))
                return true;
        }
    }

    bool isAtEnd() const { return m_isAtEnd; }
    bool isParted() const { return m_table->partitionColumn.has_value(); }
    Value value(std::size_t column) const { return copyOf(sqlite3_column_value(m_statement.get(), static_cast<int>(column))); }

    std::int64_t begin = 0;
    std::int64_t end = 0;
    Value partition;

private:
    const JoinedTable* m_table = nullptr;
    Value m_wanted; ///< Partition that the statement reads; NULL if it reads all.
    Statement m_statement;
    bool m_isAtEnd = true;
};

/// Goes through the two tables partition by partition and, within a partition, from one begin or end of a row to the next.
struct SpanCursor : sqlite3_vtab_cursor {
    const SpanJoin* join = nullptr;
    SpanReader left;
    SpanReader right;
    Value partition; ///< Current partition.
    std::int64_t begin = 0; ///< Begin of the current range.
    std::int64_t end = 0;
    bool hasLeft = false; ///< True if a row of the left table covers the current range.
    bool hasRight = false;
    bool isAtEnd = true;
    bool isInPartition = false;
    sqlite3_int64 count = 0;

    bool isIn(const SpanReader& reader) const { return !reader.isAtEnd() && (!reader.isParted() || reader.partition == partition); }

    /// Enters the next partition. Returns false on an error; sets isAtEnd if there is none.
    bool enterPartition()
    {
        const bool wantsLeft = !left.isAtEnd() && left.isParted();
        const bool wantsRight = !right.isAtEnd() && right.isParted();
        if (!left.isParted() && !right.isParted()) {
            isAtEnd = isInPartition; // There is a single partition.
        } else {
            isAtEnd = !wantsLeft && !wantsRight;
            if (!isAtEnd) {
                const bool isLeftFirst = wantsLeft && (!wantsRight || left.partition <= right.partition);
                partition = isLeftFirst ? left.partition : right.partition;
                if ((!left.isParted() && isInPartition && !left.rewind()) || (!right.isParted() && isInPartition && !right.rewind()))
                    return false;
            }
        }
        isInPartition = true;
        end = std::numeric_limits<std::int64_t>::min();
        return true;
    }

    /// Moves to the next range that the kind of join wants. Returns false on an error.
    bool advance()
    {
        while (!isAtEnd) {
            begin = end;
            while (isIn(left) && left.end <= begin)
                if (!left.next())
                    return false;
            while (isIn(right) && right.end <= begin)
                if (!right.next())
                    return false;
            const bool isLeftThere = isIn(left);
            const bool isRightThere = isIn(right);
            if (!isLeftThere && !isRightThere) {
                if (!enterPartition())
                    return false;
                continue;
            }
            hasLeft = isLeftThere && left.begin <= begin;
            hasRight = isRightThere && right.begin <= begin;
            end = std::numeric_limits<std::int64_t>::max();
            if (isLeftThere)
                end = std::min(end, hasLeft ? left.end : left.begin);
            if (isRightThere)
                end = std::min(end, hasRight ? right.end : right.begin);
            const bool isWanted = join->kind == JoinKind::Inner ? hasLeft && hasRight
                : join->kind == JoinKind::Left                  ? hasLeft
                                                                : hasLeft || hasRight;
            if (isWanted) {
                ++count;
                return true;
            }
        }
        return true;
    }
};

/// Counts the span joins that the current thread is reading. A view may make a join read itself, which nothing else would end.
class Nesting {
public:
    Nesting() { ++s_depth; }
    ~Nesting() { --s_depth; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

    bool isTooDeep() const { return s_depth > 32; }

private:
    static inline thread_local int s_depth = 0;
};

constexpr const char* TooDeep = "span joins are nested too deeply";

/// Sets the error of a table and returns SQLite's code for it.
int failWith(sqlite3_vtab* table, const char* why)
{
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", why);
    return SQLITE_ERROR;
}

/// Passes on the error of a joined table.
int failAs(sqlite3_vtab* table, sqlite3* connection)
{
    const int code = sqlite3_errcode(connection);
    if ((code & 0xff) != SQLITE_ERROR)
        return code;
    const std::string why = sqlite3_errmsg(connection);
    return failWith(table, why.c_str());
}

/// Parses "NAME PARTITIONED COLUMN" or "NAME". Returns an error message; empty if it could be parsed.
std::string parseTable(sqlite3* connection, const std::string& text, JoinedTable& table)
{
    static const RE2 Form(R"re((?i)\s*(\w+)(?:\s+partitioned\s+(\w+))?\s*)re");
    if (!RE2::FullMatch(text, Form, &table.name, &table.partition))
        return "\"" + text + "\" is not TABLE or TABLE PARTITIONED COLUMN";
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(connection, ("SELECT * FROM " + quotedName(table.name)).c_str(), -1, &made, nullptr) != SQLITE_OK)
        return sqlite3_errmsg(connection);
    const Statement statement(made);
    for (int i = 0; i < sqlite3_column_count(made); ++i)
        table.columns.emplace_back(sqlite3_column_name(made, i));
    const auto find = [&](const std::string& name) {
        const auto found = std::ranges::find(table.columns, name);
        return found != table.columns.end() ? std::optional(static_cast<std::size_t>(found - table.columns.begin())) : std::nullopt;
    };
    for (const auto& [name, place] : {std::pair("ts", &table.ts), std::pair("dur", &table.dur)}) {
        const auto column = find(name);
        if (!column)
            return table.name + " has no column " + name;
        *place = *column;
    }
    if (!table.partition.empty() && !(table.partitionColumn = find(table.partition)))
        return table.name + " has no column " + table.partition;
    return {};
}

std::string schemaOf(SpanJoin& join)
{
    std::string schema = "CREATE TABLE x(ts INTEGER, dur INTEGER";
    std::vector<std::string> names{"ts", "dur"};
    const auto add = [&](const std::string& name) {
        schema += ", " + quotedName(name);
        names.push_back(name);
    };
    if (!join.partition.empty())
        add(join.partition);
    for (const JoinedTable* table : {&join.left, &join.right})
        for (std::size_t i = 0; i < table->columns.size(); ++i)
            if (table->isOwn(i)) {
                // A column that both tables have gets the number of the table.
                const bool isTaken = std::ranges::find(names, table->columns[i]) != names.end();
                add(isTaken ? table->columns[i] + "_1" : table->columns[i]);
                join.sources.emplace_back(table, i);
            }
    return schema + ")";
}

int connectJoin(sqlite3* connection, void* data, int count, const char* const* arguments, sqlite3_vtab** out, char** error)
{
    const auto fail = [error](const std::string& why) {
        *error = sqlite3_mprintf("%s", why.c_str());
        return SQLITE_ERROR;
    };
    return guarded([&] {
        const Nesting nesting;
        if (nesting.isTooDeep())
            return fail(TooDeep);
        if (count != 5)
            return fail("a span join has two tables: SPAN_JOIN(a PARTITIONED column, b PARTITIONED column)");
        auto join = std::make_unique<SpanJoin>();
        join->connection = connection;
        join->kind = static_cast<const JoinName*>(data)->kind;
        for (auto [table, text] : {std::pair(&join->left, arguments[3]), std::pair(&join->right, arguments[4])})
            if (const std::string problem = parseTable(connection, text, *table); !problem.empty())
                return fail(problem);
        join->partition = join->left.partition.empty() ? join->right.partition : join->left.partition;
        if (!join->left.partition.empty() && !join->right.partition.empty() && join->left.partition != join->right.partition)
            return fail("the tables are partitioned by different columns: " + join->left.partition + " and " + join->right.partition);
        if (sqlite3_declare_vtab(connection, schemaOf(*join).c_str()) != SQLITE_OK)
            return fail(sqlite3_errmsg(connection));
        *out = join.release();
        return SQLITE_OK;
    });
}

int disconnectJoin(sqlite3_vtab* table)
{
    delete static_cast<SpanJoin*>(table);
    return SQLITE_OK;
}

int planJoin(sqlite3_vtab* table, sqlite3_index_info* info)
{
    constexpr double AllRows = 1e6;
    const auto& join = *static_cast<SpanJoin*>(table);
    info->estimatedCost = AllRows;
    for (int i = 0; i < info->nConstraint && !join.partition.empty(); ++i) {
        const auto& constraint = info->aConstraint[i];
        if (constraint.usable == 0 || constraint.iColumn != 2 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        info->aConstraintUsage[i].argvIndex = 1;
        info->estimatedCost = AllRows / 1'000;
        break;
    }
    return SQLITE_OK;
}

int openSpans(sqlite3_vtab* table, sqlite3_vtab_cursor** out)
{
    return guarded([&] {
        auto cursor = std::make_unique<SpanCursor>();
        cursor->join = static_cast<SpanJoin*>(table);
        *out = cursor.release();
        return SQLITE_OK;
    });
}

int closeSpans(sqlite3_vtab_cursor* cursor)
{
    delete static_cast<SpanCursor*>(cursor);
    return SQLITE_OK;
}

int startSpans(sqlite3_vtab_cursor* of, int, const char*, int count, sqlite3_value** values)
{
    return guarded([&] {
        const Nesting nesting;
        if (nesting.isTooDeep())
            return failWith(of->pVtab, TooDeep);
        auto& cursor = *static_cast<SpanCursor*>(of);
        const std::optional<Value> wanted = count > 0 ? std::optional(copyOf(values[0])) : std::nullopt;
        cursor.isAtEnd = false;
        cursor.isInPartition = false;
        cursor.count = 0;
        sqlite3* const connection = cursor.join->connection;
        const bool isOpen = cursor.left.open(connection, cursor.join->left, wanted ? &*wanted : nullptr)
            && cursor.right.open(connection, cursor.join->right, wanted ? &*wanted : nullptr);
        return isOpen && cursor.enterPartition() && cursor.advance() ? SQLITE_OK : failAs(of->pVtab, connection);
    });
}

int nextSpan(sqlite3_vtab_cursor* of)
{
    return guarded([&] {
        const Nesting nesting;
        if (nesting.isTooDeep())
            return failWith(of->pVtab, TooDeep);
        auto& cursor = *static_cast<SpanCursor*>(of);
        return cursor.advance() ? SQLITE_OK : failAs(of->pVtab, cursor.join->connection);
    });
}

int writeSpan(sqlite3_vtab_cursor* of, sqlite3_context* context, int column)
{
    return guarded([&] {
        const auto& cursor = *static_cast<SpanCursor*>(of);
        ValueSink sink(context);
        if (column == 0)
            sink.integer(cursor.begin);
        else if (column == 1)
            sink.integer(cursor.end - cursor.begin);
        else if (column < cursor.join->firstSource())
            sink.value(cursor.partition);
        else {
            const auto& [table, source] = cursor.join->sources[static_cast<std::size_t>(column - cursor.join->firstSource())];
            const bool isLeft = table == &cursor.join->left;
            if (isLeft ? cursor.hasLeft : cursor.hasRight)
                sink.value((isLeft ? cursor.left : cursor.right).value(source));
        }
        return SQLITE_OK;
    });
}

sqlite3_module makeJoinMethods()
{
    sqlite3_module module{};
    module.xCreate = connectJoin;
    module.xConnect = connectJoin;
    module.xBestIndex = planJoin;
    module.xDisconnect = disconnectJoin;
    module.xDestroy = disconnectJoin;
    module.xOpen = openSpans;
    module.xClose = closeSpans;
    module.xFilter = startSpans;
    module.xNext = nextSpan;
    module.xEof = [](sqlite3_vtab_cursor* cursor) { return static_cast<SpanCursor*>(cursor)->isAtEnd ? 1 : 0; };
    module.xColumn = writeSpan;
    module.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
        *out = static_cast<SpanCursor*>(cursor)->count;
        return SQLITE_OK;
    };
    return module;
}

} // namespace

void addSpanJoins(sqlite3* connection)
{
    static const sqlite3_module Methods = makeJoinMethods();
    for (const JoinName& it : JoinNames)
        sqlite3_create_module_v2(connection, it.module, &Methods, const_cast<JoinName*>(&it), nullptr);
}

bool isSpanJoin(std::string_view module)
{
    const auto isSame = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b); };
    return std::ranges::any_of(JoinNames,
                               [&](const JoinName& it) { return std::ranges::equal(std::string_view(it.module), module, isSame); });
}

} // namespace helio::sql
