#include "core/trace/tracepoint/futex_arguments.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace helio::tracepoint {
namespace {

using namespace text;

/// Name of an operation or a flag, without "FUTEX_" (include/uapi/linux/futex.h), and its bits. strace joins an operation and
/// FUTEX_PRIVATE_FLAG to one name that ends with "_PRIVATE".
struct OperationName {
    std::string_view name;
    std::int64_t bits;
};
constexpr OperationName OperationNames[] = {
    {"WAIT", 0},
    {"WAKE", 1},
    {"FD", 2},
    {"REQUEUE", 3},
    {"CMP_REQUEUE", 4},
    {"WAKE_OP", 5},
    {"LOCK_PI", 6},
    {"UNLOCK_PI", 7},
    {"TRYLOCK_PI", 8},
    {"WAIT_BITSET", 9},
    {"WAKE_BITSET", 10},
    {"WAIT_REQUEUE_PI", 11},
    {"CMP_REQUEUE_PI", 12},
    {"LOCK_PI2", 13},
    {"PRIVATE_FLAG", 128},
    {"CLOCK_REALTIME", 256},
    {"CLOCK_RT", 256},
};

/// Parses a decimal number, or a hexadecimal one with "0x"; `isHex`: also without "0x".
std::optional<std::int64_t> futexNumberIn(std::string_view text, bool isHex)
{
    if (text.starts_with("0x")) {
        isHex = true;
        text.remove_prefix(2);
    }
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number, isHex ? 16 : 10);
    return read.ec == std::errc() && read.ptr == end ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

std::optional<std::int64_t> futexOperationIn(std::string_view text, bool isHex)
{
    if (const auto number = futexNumberIn(text, isHex))
        return number;
    std::int64_t op = 0;
    while (!text.empty()) {
        const std::size_t bar = std::min(text.find('|'), text.size());
        std::string_view name = text.substr(0, bar);
        text.remove_prefix(std::min(bar + 1, text.size()));
        constexpr std::string_view Prefix = "FUTEX_";
        constexpr std::string_view Private = "_PRIVATE";
        if (name.starts_with(Prefix))
            name.remove_prefix(Prefix.size());
        if (name.ends_with(Private)) {
            name.remove_suffix(Private.size());
            op |= 128;
        }
        const auto* const found = std::ranges::find(OperationNames, name, &OperationName::name);
        if (found == std::end(OperationNames))
            return {};
        op |= found->bits;
    }
    return op;
}

} // namespace

std::optional<FutexArguments> parseFutexArguments(std::string_view text)
{
    constexpr std::array<std::string_view, 3> Labels{"uaddr: ", "op: ", "val: "};
    std::array<std::string_view, 3> values;
    const bool isLabelled = trimmed(text).starts_with(Labels[0]);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (text.empty())
            return {};
        const std::size_t comma = std::min(text.find(','), text.size());
        values[i] = trimmed(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
        if (!isLabelled)
            continue;
        if (!values[i].starts_with(Labels[i]))
            return {};
        values[i] = trimmed(values[i].substr(Labels[i].size()));
    }
    // ftrace prints numbers of arguments in hexadecimal digits, older kernels without "0x"; perf trace names the operation.
    const bool isHex = isLabelled && !values[1].empty() && isDigit(values[1].front());
    const auto address = futexNumberIn(values[0], isHex);
    const auto op = futexOperationIn(values[1], isHex);
    const auto value = futexNumberIn(values[2], isHex);
    return address && op && value ? std::optional(FutexArguments{*address, *op, *value}) : std::nullopt;
}

void appendFutexFields(const FutexArguments& arguments, std::vector<StoredField>& fields)
{
    const auto add = [&](std::string_view name, std::int64_t number) {
        StoredField field{name, {}, number};
        field.kind = StoredField::Kind::Integer;
        fields.push_back(field);
    };
    add("uaddr", arguments.address);
    add("op", arguments.op);
    add("val", arguments.value);
}

} // namespace helio::tracepoint
