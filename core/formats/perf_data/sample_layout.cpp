#include "core/formats/perf_data/sample_layout.h"

#include <algorithm>
#include <bit>

namespace helio::perf {

SampleLayout::SampleLayout(const Attribute& attribute, ByteOrder order)
    : m_attribute(attribute)
    , m_order(order)
    , m_userCount(static_cast<std::uint32_t>(std::popcount(attribute.userRegisters)))
    , m_interruptCount(static_cast<std::uint32_t>(std::popcount(attribute.interruptRegisters)))
{
    const auto place = [&](std::uint64_t bit, std::uint32_t& offset) {
        if (!m_attribute.has(bit))
            return;
        offset = fixedEnd;
        fixedEnd += 8;
    };
    place(sample::Identifier, identifier);
    place(sample::Ip, ip);
    place(sample::Tid, tid);
    place(sample::Time, time);
    place(sample::Addr, address);
    place(sample::Id, id);
    place(sample::StreamId, streamId);
    place(sample::Cpu, cpu);
    place(sample::Period, period);
    if (identifier != None)
        id = identifier;
    if (m_attribute.has(sample::Raw) && !m_attribute.has(sample::Read) && !m_attribute.has(sample::Callchain))
        constantRaw = fixedEnd + 4;
}

/// Visits the parts of one record in order. 32-bit sums cannot overflow, because all numbers are below 2^17 or checked against the
/// remaining bytes.
class SampleLayout::Walk {
public:
    Walk(const SampleLayout& shape, std::span<const std::byte> record)
        : m_shape(shape)
        , m_record(record)
        , m_at(shape.fixedEnd)
    {
    }

    bool run(SampleOffsets& parts)
    {
        const Attribute& a = m_shape.m_attribute;
        if (m_at > m_record.size())
            return false;
        const bool isWhole = (!a.has(sample::Read) || read(parts)) && (!a.has(sample::Callchain) || callchain(parts))
            && (!a.has(sample::Raw) || raw(parts)) && (!a.has(sample::BranchStack) || branches(parts))
            && (!a.has(sample::RegsUser) || registers(m_shape.m_userCount, parts.userAbi, parts.userRegisters))
            && (!a.has(sample::StackUser) || stack(parts)) && tail(parts);
        parts.end = m_at;
        return isWhole;
    }

private:
    std::uint64_t left() const { return m_record.size() - m_at; }

    bool skip(std::uint64_t bytes)
    {
        if (bytes > left())
            return false;
        m_at += static_cast<std::uint32_t>(bytes);
        return true;
    }

    bool skipWords(std::uint64_t count, std::uint64_t size = 8) { return count <= left() / size && skip(count * size); }

    bool number(std::uint64_t& value)
    {
        if (left() < 8)
            return false;
        value = loadWord<std::uint64_t>(m_record.data() + m_at, m_shape.m_order);
        m_at += 8;
        return true;
    }

    bool read(SampleOffsets& parts)
    {
        const std::uint64_t format = m_shape.m_attribute.readFormat;
        const auto has = [format](std::uint64_t bit) { return std::uint64_t((format & bit) != 0); };
        const std::uint64_t times = has(readformat::TimeEnabled) + has(readformat::TimeRunning);
        const std::uint64_t each = 1 + has(readformat::Id) + has(readformat::Lost);
        parts.read = m_at;
        if (!has(readformat::Group))
            return skipWords(times + each);
        std::uint64_t count = 0;
        return number(count) && skipWords(times) && skipWords(count, each * 8);
    }

    bool callchain(SampleOffsets& parts)
    {
        std::uint64_t count = 0;
        if (!number(count))
            return false;
        parts.callchain = m_at;
        parts.callchainCount = static_cast<std::uint32_t>(count);
        return skipWords(count);
    }

    bool raw(SampleOffsets& parts)
    {
        if (left() < 4)
            return false;
        parts.rawSize = loadWord<std::uint32_t>(m_record.data() + m_at, m_shape.m_order);
        parts.raw = m_at + 4;
        return skip(std::uint64_t(4) + parts.rawSize);
    }

    bool branches(SampleOffsets& parts)
    {
        std::uint64_t count = 0;
        const std::uint64_t type = m_shape.m_attribute.branchType;
        if (!number(count) || !skipWords((type & branch::HwIndex) != 0 ? 1 : 0))
            return false;
        parts.branches = m_at;
        parts.branchCount = static_cast<std::uint32_t>(count);
        return skipWords(count, branch::Size) && skipWords((type & branch::Counters) != 0 ? count : 0);
    }

    bool registers(std::uint32_t count, std::uint32_t& abiAt, std::uint32_t& registersAt)
    {
        std::uint64_t abi = 0;
        abiAt = m_at;
        if (!number(abi))
            return false;
        registersAt = abi != 0 ? m_at : 0;
        return skipWords(abi != 0 ? count : 0);
    }

    bool stack(SampleOffsets& parts)
    {
        std::uint64_t size = 0;
        if (!number(size))
            return false;
        if (size == 0)
            return true;
        parts.userStack = m_at;
        parts.userStackSize = static_cast<std::uint32_t>(size);
        std::uint64_t used = 0;
        if (!skip(size) || !number(used))
            return false;
        parts.userStackUsed = static_cast<std::uint32_t>(std::min(used, size));
        return true;
    }

    bool tail(SampleOffsets& parts)
    {
        const Attribute& a = m_shape.m_attribute;
        const auto words = [&](std::uint64_t bit) { return skipWords(a.has(bit) ? 1 : 0); };
        parts.weight = a.has(sample::Weight | sample::WeightStruct) ? m_at : 0;
        std::uint32_t abi = 0;
        std::uint32_t registersAt = 0;
        if (!skipWords(parts.weight != 0 ? 1 : 0) || !words(sample::DataSrc) || !words(sample::Transaction)
            || (a.has(sample::RegsIntr) && !registers(m_shape.m_interruptCount, abi, registersAt)))
            return false;
        if (!words(sample::PhysAddr) || !words(sample::Cgroup) || !words(sample::DataPageSize) || !words(sample::CodePageSize))
            return false;
        std::uint64_t size = 0;
        return !a.has(sample::Aux) || (number(size) && skip(size));
    }

    const SampleLayout& m_shape;
    std::span<const std::byte> m_record;
    std::uint32_t m_at;
};

bool SampleLayout::walk(std::span<const std::byte> record, SampleOffsets& parts) const { return Walk(*this, record).run(parts); }

std::vector<SampleLayout::Counter> SampleLayout::counters(std::span<const std::byte> record, const SampleOffsets& parts) const
{
    std::vector<Counter> all;
    const std::uint64_t format = m_attribute.readFormat;
    if (parts.read == 0 || !hasCounterPeriod())
        return all;
    BinaryReader cursor(record.subspan(parts.read), m_order);
    const auto skipIf = [&](std::uint64_t bit) { cursor.skip((format & bit) != 0 ? 8 : 0); };
    const auto skipTimes = [&] {
        skipIf(readformat::TimeEnabled);
        skipIf(readformat::TimeRunning);
    };
    const bool isGroup = (format & readformat::Group) != 0;
    const std::uint64_t count = isGroup ? cursor.u64() : 1;
    if (isGroup)
        skipTimes();
    for (std::uint64_t i = 0; i < count && !cursor.isCut(); ++i) {
        const std::uint64_t value = cursor.u64();
        if (!isGroup)
            skipTimes();
        all.push_back({cursor.u64(), value});
        skipIf(readformat::Lost);
    }
    return all;
}

TrailerLayout::TrailerLayout(const Attribute& attribute)
{
    if (!attribute.isSampleIdAll())
        return;
    const auto place = [&](std::uint64_t bit, std::uint32_t& fromEnd) {
        if (!attribute.has(bit))
            return;
        size += 8;
        fromEnd = size;
    };
    // Call place() for each field of the trailer, beginning with the last field: offsets are counted backwards from the end of the record.
    std::uint32_t ignored = 0;
    std::uint32_t plainId = 0;
    place(sample::Identifier, id);
    place(sample::Cpu, cpu);
    place(sample::StreamId, ignored);
    place(sample::Id, plainId);
    place(sample::Time, time);
    place(sample::Tid, tid);
    if (id == 0)
        id = plainId;
}

} // namespace helio::perf
