#include "core/fleet/digest_functions.h"

#include "core/fleet/duration_digest.h"
#include "core/sql/engine/database.h"

#include <algorithm>
#include <limits>
#include <variant>

namespace helio::fleet {
namespace {

using sql::Value;
using Percentile = DurationDigest::Percentile;

/// Digest of all digests in a group of rows.
class MergedDigest final : public sql::GroupState {
public:
    Status add(std::span<const Value> arguments) override
    {
        if (std::holds_alternative<std::monostate>(arguments[0]))
            return Done{};
        const auto* const text = std::get_if<std::string>(&arguments[0]);
        return text ? m_digest.addText(*text) : DurationDigest().addText("");
    }
    Value result() const override { return m_digest.count() > 0 ? Value(m_digest.text()) : Value(); }

private:
    DurationDigest m_digest;
};

/// Returns the digest in an argument; an empty one for NULL.
Result<DurationDigest> digestIn(const Value& argument)
{
    DurationDigest digest;
    if (std::holds_alternative<std::monostate>(argument))
        return digest;
    const auto* const text = std::get_if<std::string>(&argument);
    const Status added = digest.addText(text ? std::string_view(*text) : std::string_view());
    return added ? Result(digest) : Result<DurationDigest>(added.error());
}

/// Returns the percent in an argument; nullopt if it is no number from 0 to 100.
std::optional<double> percentIn(const Value& argument)
{
    double percent = -1;
    if (const auto* integer = std::get_if<std::int64_t>(&argument))
        percent = double(*integer);
    else if (const auto* real = std::get_if<double>(&argument))
        percent = *real;
    return percent >= 0 && percent <= 100 ? std::optional(percent) : std::nullopt;
}

sql::Function percentileFunction(const char* name, Duration Percentile::*part)
{
    return {name, 2, [part](std::span<const Value> arguments) -> Result<Value> {
                const auto percent = percentIn(arguments[1]);
                if (!percent)
                    return Error{Error::Kind::Usage, "the percentile must be a number from 0 to 100"};
                const auto digest = digestIn(arguments[0]);
                if (!digest)
                    return digest.error();
                const auto found = digest->percentile(*percent);
                return found ? Value(std::int64_t(((*found).*part).count())) : Value();
            }};
}

Result<Value> countOf(std::span<const Value> arguments)
{
    const auto digest = digestIn(arguments[0]);
    if (!digest)
        return digest.error();
    return Value(static_cast<std::int64_t>(std::min<std::uint64_t>(digest->count(), std::numeric_limits<std::int64_t>::max())));
}

} // namespace

Status addDigestFunctions(sql::Database& database)
{
    if (Status added = database.addAggregate({"digest_merge", 1, [] { return std::make_unique<MergedDigest>(); }}); !added)
        return added;
    for (sql::Function& function : std::vector<sql::Function>{percentileFunction("digest_percentile", &Percentile::estimate),
                                                              percentileFunction("digest_lowest", &Percentile::lowest),
                                                              percentileFunction("digest_highest", &Percentile::highest),
                                                              {"digest_count", 1, countOf}})
        if (Status added = database.addFunction(std::move(function)); !added)
            return added;
    return Done{};
}

} // namespace helio::fleet
