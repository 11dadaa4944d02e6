#include "core/analyses/heap/heap_events.h"

#include <algorithm>

namespace helio::heap {
namespace {

constexpr std::string_view Provider = "ust_libc:";

std::string_view withoutPrefix(std::string_view name)
{
    constexpr std::string_view Prefix = "lttng_";
    return name.starts_with(Prefix) ? name.substr(Prefix.size()) : name;
}

} // namespace

bool isHeapEvent(std::string_view name) { return withoutPrefix(name).starts_with(Provider); }

struct HeapEvent::KnownFunction {
    std::string_view name;
    Call call;
    std::string_view block;
};

HeapEvent::HeapEvent(const EventType& type)
{
    static constexpr KnownFunction All[] = {
        {"malloc", Call::Allocate, "ptr"},         {"calloc", Call::Allocate, "ptr"},
        {"memalign", Call::Allocate, "ptr"},       {"realloc", Call::Reallocate, "ptr"},
        {"reallocarray", Call::Reallocate, "ptr"}, {"aligned_alloc", Call::Allocate, "ptr"},
        {"valloc", Call::Allocate, "ptr"},         {"posix_memalign", Call::Allocate, "out_ptr"},
        {"pvalloc", Call::Allocate, "ptr"},        {"free", Call::Free, "ptr"},
    };
    if (!isHeapEvent(type.name))
        return;
    const auto found = std::ranges::find(All, withoutPrefix(type.name).substr(Provider.size()), &KnownFunction::name);
    if (found == std::end(All))
        return;
    m_block = FieldRef(type, Section::Payload, found->block);
    m_old = FieldRef(type, Section::Payload, "in_ptr");
    m_count = FieldRef(type, Section::Payload, "nmemb");
    m_size = FieldRef(type, Section::Payload, "size");
    m_result = FieldRef(type, Section::Payload, "result");
    m_ip = FieldRef(type, Section::EventContext, "ip");
    if (!m_ip.isValid())
        m_ip = FieldRef(type, Section::StreamContext, "ip");
    const bool isWhole =
        m_block.isValid() && (found->call == Call::Free || m_size.isValid()) && (found->call != Call::Reallocate || m_old.isValid());
    m_call = isWhole ? found->call : Call::None;
}

HeapChange HeapEvent::changeOf(const EventView& event) const
{
    const auto address = [&](const FieldRef& field) { return static_cast<std::uint64_t>(field.integerOr(event, 0)); };
    const std::uint64_t block = address(m_block);
    if (m_call == Call::Free)
        return {block, 0, 0};
    if (m_result.integerOr(event, 0) != 0)
        return {};
    const std::uint64_t bytes = bytesOf(event);
    // A realloc() that returns NULL has failed and keeps the old block, except that realloc() to 0 bytes has freed the block.
    if (block == 0)
        return {m_call == Call::Reallocate && bytes == 0 ? address(m_old) : 0, 0, 0};
    return {m_call == Call::Reallocate ? address(m_old) : 0, block, bytes};
}

/// Returns the size of the event's block in bytes; at most INT64_MAX, because no memory is larger.
std::uint64_t HeapEvent::bytesOf(const EventView& event) const
{
    const auto size = static_cast<std::uint64_t>(m_size.integerOr(event, 0));
    const auto count = static_cast<std::uint64_t>(m_count.isValid() ? m_count.integerOr(event, 0) : 1);
    const bool isMore = count != 0 && size > INT64_MAX / count;
    return isMore ? INT64_MAX : size * count;
}

std::optional<std::uint64_t> HeapEvent::calledFrom(const EventView& event) const
{
    const auto ip = m_ip.isValid() ? m_ip.integer(event) : std::nullopt;
    return ip && *ip != 0 ? std::optional(static_cast<std::uint64_t>(*ip)) : std::nullopt;
}

} // namespace helio::heap
