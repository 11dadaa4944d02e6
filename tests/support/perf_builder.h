#pragma once

#include "tests/support/made_bytes.h"

#include <QByteArray>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace helio {

struct MadeAttribute {
    std::uint32_t type = 1; ///< Event type PERF_TYPE_SOFTWARE.
    std::uint64_t config = 0; ///< Event PERF_COUNT_SW_CPU_CLOCK: cpu-clock.
    std::uint64_t period = 1; ///< The sampling period, or the frequency in samples per second.
    std::uint64_t sampleType = 0x1 | 0x2 | 0x4 | 0x80 | 0x100; ///< Flags PERF_SAMPLE_* for the recorded values: ip, tid, time, cpu, period.
    std::uint64_t readFormat = 0;
    std::uint64_t flags = 1ull << 18; ///< Flag sample_id_all: all records, not only samples, end with ids such as time and TID.
    std::uint64_t branchType = 0;
    std::uint64_t userRegisters = 0;
    std::vector<std::uint64_t> ids;
};

/// Builds a perf.data file, record by record.
class MadePerfData {
public:
    explicit MadePerfData(ByteOrder order = ByteOrder::Little, std::uint32_t attributeSize = 128)
        : m_order(order)
        , m_attributeSize(attributeSize)
    {
    }

    MadeBytes make() const { return MadeBytes(m_order); }

    void addAttribute(MadeAttribute attribute) { m_attributes.push_back(std::move(attribute)); }
    void addFeature(unsigned bit, const MadeBytes& body) { m_features[bit] = body.bytes; }
    void add(std::uint32_t type, std::uint16_t misc, const MadeBytes& body) { data += record(type, misc, body); }

    /// Adds a sample of the default attribute: ip, pid and tid, time, cpu, period.
    void addSample(std::uint64_t ip, std::uint32_t pid, std::uint32_t tid, std::uint64_t time, std::uint32_t cpu, std::uint64_t period,
                   std::uint16_t misc = 2)
    {
        add(9, misc, make().u64(ip).u32(pid).u32(tid).u64(time).u32(cpu).u32(0).u64(period));
    }
    /// Appends the sample_id fields, with which records other than samples end: pid, tid, time, cpu, and a reserved 0.
    MadeBytes trailer(MadeBytes body, std::uint32_t pid, std::uint32_t tid, std::uint64_t time, std::uint32_t cpu) const
    {
        return body.u32(pid).u32(tid).u64(time).u32(cpu).u32(0);
    }

    QByteArray record(std::uint32_t type, std::uint16_t misc, const MadeBytes& body) const
    {
        return make().u32(type).u16(misc).u16(std::uint64_t(body.bytes.size()) + 8).raw(body.bytes).bytes;
    }

    QByteArray attributeBytes(const MadeAttribute& a) const
    {
        std::uint64_t flags = a.flags;
        if (m_order == ByteOrder::Big) {
            flags = 0;
            for (int i = 0; i < 64; ++i)
                flags |= (a.flags >> i & 1) << (63 - i);
        }
        MadeBytes whole = make();
        whole.u32(a.type).u32(m_attributeSize).u64(a.config).u64(a.period).u64(a.sampleType).u64(a.readFormat).u64(flags);
        whole.u32(0).u32(0).u64(0).u64(0).u64(a.branchType).u64(a.userRegisters).u32(0).u32(0).u64(0);
        QByteArray bytes = whole.bytes;
        bytes.resize(m_attributeSize, '\0');
        return bytes;
    }

    QByteArray file() const
    {
        const std::uint64_t entry = m_attributeSize + 16;
        const std::uint64_t attributesAt = 104;
        const std::uint64_t idsAt = attributesAt + entry * m_attributes.size();
        MadeBytes attributes = make();
        MadeBytes ids = make();
        for (const MadeAttribute& a : m_attributes) {
            attributes.raw(attributeBytes(a)).u64(idsAt + std::uint64_t(ids.bytes.size())).u64(8 * a.ids.size());
            for (const std::uint64_t id : a.ids)
                ids.u64(id);
        }
        const std::uint64_t dataAt = idsAt + std::uint64_t(ids.bytes.size());
        MadeBytes head = make();
        std::uint64_t features = 0;
        for (const auto& [bit, body] : m_features)
            features |= std::uint64_t(1) << bit;
        head.u64(0x32454c4946524550).u64(104).u64(entry).u64(attributesAt).u64(std::uint64_t(attributes.bytes.size()));
        head.u64(dataAt).u64(dataSize >= 0 ? std::uint64_t(dataSize) : std::uint64_t(data.size())).u64(0).u64(0);
        head.u64(features).u64(0).u64(0).u64(0);
        std::uint64_t at = dataAt + std::uint64_t(data.size()) + 16 * m_features.size();
        MadeBytes table = make();
        QByteArray bodies;
        for (const auto& [bit, body] : m_features) {
            table.u64(at).u64(std::uint64_t(body.size()));
            at += std::uint64_t(body.size());
            bodies += body;
        }
        return head.bytes + attributes.bytes + ids.bytes + data + table.bytes + bodies;
    }

    /// Returns the recording in perf's pipe format, where attributes and features are records.
    QByteArray pipe() const
    {
        QByteArray all = make().u64(0x32454c4946524550).u64(16).bytes;
        for (const MadeAttribute& a : m_attributes) {
            MadeBytes body = make().raw(attributeBytes(a));
            for (const std::uint64_t id : a.ids)
                body.u64(id);
            all += record(64, 0, body);
        }
        for (const auto& [bit, body] : m_features)
            all += record(80, 0, make().u64(bit).raw(body));
        return all + data;
    }

    QByteArray data; ///< Records of the data section.
    std::int64_t dataSize = -1; ///< Size of the data section that the header reports; -1 for the true size.

private:
    ByteOrder m_order;
    std::uint32_t m_attributeSize;
    std::vector<MadeAttribute> m_attributes;
    std::map<unsigned, QByteArray> m_features;
};

} // namespace helio
