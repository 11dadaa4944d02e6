#pragma once

#include "tests/support/made_bytes.h"

#include <QByteArray>

#include <cstdint>
#include <string_view>
#include <vector>
#include <zstd.h>

namespace helio {

/// Builds a page of the kernel's ring buffer, event by event.
class MadeRingPage {
public:
    /// `longSize` is the size of the commit word in bytes.
    explicit MadeRingPage(std::uint64_t clock, ByteOrder order = ByteOrder::Little, unsigned longSize = 8)
        : m_order(order)
        , m_longSize(longSize)
        , m_clock(clock)
        , m_data(order)
    {
    }

    /// Appends an event whose size is part of its header. The size of `data` must be a multiple of 4, from 4 to 112.
    MadeRingPage& event(std::uint64_t delta, const QByteArray& data)
    {
        header(unsigned(data.size()) / 4, delta);
        m_data.raw(data);
        return *this;
    }
    /// Appends an event whose size stands in a word of its own. The size of `data` must be a multiple of 4.
    MadeRingPage& largeEvent(std::uint64_t delta, const QByteArray& data)
    {
        header(0, delta);
        m_data.u32(std::uint64_t(data.size()) + 4).raw(data);
        return *this;
    }
    /// Appends a time extension: `delta` may have up to 59 bits.
    MadeRingPage& extend(std::uint64_t delta) { return stamped(30, delta); }
    /// Appends an absolute time of 59 bits.
    MadeRingPage& stamp(std::uint64_t clock) { return stamped(31, clock & ((std::uint64_t{1} << 59) - 1)); }
    /// Appends an event that the kernel discarded; `data` as in largeEvent().
    MadeRingPage& discarded(std::uint64_t delta, const QByteArray& data)
    {
        header(29, delta);
        m_data.u32(std::uint64_t(data.size()) + 4).raw(data);
        return *this;
    }
    /// Marks the rest of the page as empty, within the committed size.
    MadeRingPage& padded()
    {
        header(29, 0);
        return *this;
    }
    MadeRingPage& raw(const QByteArray& bytes)
    {
        m_data.raw(bytes);
        return *this;
    }
    /// Says that events were lost before the page. The count is stored behind the events if `hasCount`.
    MadeRingPage& lost(std::uint64_t count, bool hasCount = true)
    {
        m_lost = count;
        m_flags = (1U << 31) | (hasCount ? 1U << 30 : 0);
        return *this;
    }

    QByteArray bytes(int pageSize = 4096) const
    {
        MadeBytes page(m_order);
        const auto word = [&](std::uint64_t value) { m_longSize == 8 ? page.u64(value) : page.u32(value); };
        page.u64(m_clock);
        word(std::uint64_t(m_data.bytes.size()) | m_flags);
        page.raw(m_data.bytes);
        if ((m_flags & 1U << 30) != 0)
            word(m_lost);
        page.raw(QByteArray(pageSize - page.bytes.size(), '\0'));
        return page.bytes;
    }

private:
    void header(unsigned type, std::uint64_t delta)
    {
        m_data.u32(m_order == ByteOrder::Little ? type | delta << 5 : std::uint64_t{type} << 27 | delta);
    }
    MadeRingPage& stamped(unsigned type, std::uint64_t value)
    {
        header(type, value & ((1U << 27) - 1));
        m_data.u32(value >> 27);
        return *this;
    }

    ByteOrder m_order;
    unsigned m_longSize;
    std::uint64_t m_clock;
    std::uint64_t m_lost = 0;
    std::uint64_t m_flags = 0;
    MadeBytes m_data;
};

/// Builds a trace.dat file.
class MadeTraceDat {
public:
    struct Cpu {
        int number = 0;
        QByteArray pages;
    };
    struct Instance {
        QByteArray name; ///< Empty for the top instance.
        QByteArray clock;
        std::vector<Cpu> cpus;
    };

    int version = 6; ///< 6 or 7.
    ByteOrder order = ByteOrder::Little;
    unsigned longSize = 8;
    QByteArray compression = "none"; ///< For version 7: "none", "zlib" or "zstd".
    /// True if version 7 has the first options before the buffers, like files of trace-cmd record; false if they are at the end.
    bool hasEarlyOptions = false;
    mutable qsizetype eventsEnd = 0; ///< Offset of the end of the events in the last file of version 7 that bytes() returned.
    bool writesPageSize = true; ///< False for the buffer options of trace-cmd 3.0, which lack the page size.
    int cpuCount = 2;
    QByteArray commitOffset = "8"; ///< Offset of the commit word in a page, as the header of pages says.
    std::vector<QByteArray> ftraceFormats; ///< Format files of the system "ftrace".
    std::vector<QByteArray> formats; ///< Format files of the system "sched".
    QByteArray symbols; ///< Text of /proc/kallsyms: a line "ADDRESS TYPE NAME" for each kernel symbol.
    QByteArray printkFormats;
    QByteArray commandLines;
    QByteArray options; ///< More options, each made by option().
    std::vector<Instance> instances; ///< The top instance first.

    QByteArray option(unsigned id, const QByteArray& value) const
    {
        return MadeBytes(order).u16(id).u32(std::uint64_t(value.size())).raw(value).bytes;
    }

    /// Returns the format file of a tracepoint. It has the common fields of all tracepoints, the lines `fields` for further fields, and the
    /// print format `print`.
    static QByteArray format(const QByteArray& name, int id, const QByteArray& fields, const QByteArray& print = "\"\"")
    {
        return "name: " + name + "\nID: " + QByteArray::number(id)
            + "\nformat:\n"
              "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
              "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
              "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
              "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
            + fields + "\nprint fmt: " + print + "\n";
    }

    QByteArray bytes() const { return version == 6 ? bytes6() : bytes7(); }

private:
    MadeBytes begin() const { return MadeBytes(order).raw(QByteArray("\x17\x08\x44tracing", 10)); }

    QByteArray sized(const QByteArray& text) const { return MadeBytes(order).u64(std::uint64_t(text.size())).raw(text).bytes; }

    QByteArray counted(const QByteArray& text) const { return MadeBytes(order).u32(std::uint64_t(text.size())).raw(text).bytes; }

    QByteArray pageHeader() const
    {
        const QByteArray size = QByteArray::number(longSize);
        const QByteArray page = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:" + commitOffset
            + ";\tsize:" + size + ";\tsigned:1;\n\tfield: char data;\toffset:" + QByteArray::number(8 + longSize)
            + ";\tsize:4080;\tsigned:1;\n";
        return QByteArray("header_page\0", 12) + sized(page) + QByteArray("header_event\0", 13) + sized("");
    }
    QByteArray ftrace() const
    {
        MadeBytes all(order);
        all.u32(ftraceFormats.size());
        for (const QByteArray& format : ftraceFormats)
            all.raw(sized(format));
        return all.bytes;
    }
    QByteArray events() const
    {
        MadeBytes all(order);
        all.u32(1).raw(QByteArray("sched\0", 6)).u32(formats.size());
        for (const QByteArray& format : formats)
            all.raw(sized(format));
        return all.bytes;
    }

    QByteArray bytes6() const
    {
        MadeBytes file = begin();
        file.raw(QByteArray("6\0", 2)).u8(order == ByteOrder::Big).u8(longSize).u32(4096);
        file.raw(pageHeader())
            .raw(ftrace())
            .raw(events())
            .raw(counted(symbols))
            .raw(counted(printkFormats))
            .raw(sized(commandLines))
            .u32(std::uint64_t(cpuCount));
        // The offsets of the instances' pages depend on the size of the options, which does not depend on the offsets.
        const auto optionsFor = [&](const std::vector<std::uint64_t>& offsets) {
            QByteArray all = options;
            if (!instances.empty())
                all += option(4, "local [" + instances.front().clock + "]\n");
            for (std::size_t i = 1; i < instances.size(); ++i)
                all += option(3, MadeBytes(order).u64(offsets[i]).raw(instances[i].name + '\0' + instances[i].clock + '\0').bytes);
            return "options  " + QByteArray(1, '\0') + all + MadeBytes(order).u16(0).bytes;
        };
        std::vector<std::uint64_t> offsets(instances.size());
        const std::uint64_t first = std::uint64_t(file.bytes.size() + optionsFor(offsets).size());
        const std::uint64_t tableSize = 10 + std::uint64_t(cpuCount) * 16;
        std::uint64_t pages = (first + instances.size() * tableSize + 4095) / 4096 * 4096;
        MadeBytes tables(order);
        QByteArray data;
        for (std::size_t i = 0; i < instances.size(); ++i) {
            offsets[i] = first + std::uint64_t(tables.bytes.size());
            tables.raw(QByteArray("flyrecord\0", 10));
            for (int cpu = 0; cpu < cpuCount; ++cpu) {
                QByteArray own;
                for (const Cpu& it : instances[i].cpus)
                    if (it.number == cpu)
                        own = it.pages;
                tables.u64(pages).u64(std::uint64_t(own.size()));
                pages += std::uint64_t(own.size());
                data += own;
            }
        }
        file.raw(optionsFor(offsets)).raw(tables.bytes);
        file.raw(QByteArray((4096 - file.bytes.size() % 4096) % 4096, '\0')).raw(data);
        return file.bytes;
    }

    QByteArray packed(const QByteArray& bytes) const
    {
        if (compression == "zlib")
            return qCompress(bytes).mid(4); // Without the size that Qt writes first.
        QByteArray result(qsizetype(ZSTD_compressBound(std::size_t(bytes.size()))), '\0');
        result.resize(qsizetype(ZSTD_compress(result.data(), std::size_t(result.size()), bytes.constData(), std::size_t(bytes.size()), 1)));
        return result;
    }
    QByteArray block(const QByteArray& bytes) const
    {
        const QByteArray small = packed(bytes);
        return MadeBytes(order).u32(std::uint64_t(small.size())).u32(std::uint64_t(bytes.size())).raw(small).bytes;
    }
    /// Returns a section with its header. Options are never compressed.
    QByteArray section(unsigned id, const QByteArray& content) const
    {
        const bool isPacked = compression != "none" && id != 0;
        const QByteArray body = isPacked ? block(content) : content;
        return MadeBytes(order).u16(id).u16(isPacked).u32(0).u64(std::uint64_t(body.size())).raw(body).bytes;
    }

    QByteArray bytes7() const
    {
        MadeBytes file = begin();
        file.raw(QByteArray("7\0", 2)).u8(order == ByteOrder::Big).u8(longSize).u32(4096);
        file.raw(compression + '\0' + "1.0" + '\0');
        const qsizetype link = file.bytes.size();
        file.u64(0);
        QByteArray first;
        const auto add = [&](unsigned id, const QByteArray& content) {
            first += option(id, MadeBytes(order).u64(std::uint64_t(file.bytes.size())).bytes);
            file.raw(section(id, content));
        };
        add(16, pageHeader());
        add(17, ftrace());
        add(18, events());
        add(19, counted(symbols));
        add(20, counted(printkFormats));
        add(21, sized(commandLines));
        QByteArray second = hasEarlyOptions ? QByteArray() : options;
        const qsizetype early = file.bytes.size();
        if (hasEarlyOptions) {
            first += options + option(4, "local [" + instances.front().clock + "]\n")
                + option(8, MadeBytes(order).u32(std::uint64_t(cpuCount)).bytes);
            file.raw(section(0, first + option(0, MadeBytes(order).u64(0).bytes)));
        }
        for (const Instance& instance : instances) {
            MadeBytes value(order);
            value.u64(std::uint64_t(file.bytes.size())).raw(instance.name + '\0' + instance.clock + '\0');
            if (writesPageSize)
                value.u32(4096);
            value.u32(instance.cpus.size());
            const bool isPacked = compression != "none";
            file.u16(3).u16(isPacked).u32(0).u64(0);
            const qsizetype begin = file.bytes.size();
            for (const Cpu& cpu : instance.cpus) {
                file.raw(QByteArray((4096 - file.bytes.size() % 4096) % 4096, '\0'));
                MadeBytes pages(order);
                if (isPacked) {
                    const qsizetype half = cpu.pages.size() / 8192 * 4096;
                    pages.u32(half > 0 ? 2 : 1);
                    if (half > 0)
                        pages.raw(block(cpu.pages.left(half)));
                    pages.raw(block(cpu.pages.mid(half)));
                } else {
                    pages.raw(cpu.pages);
                }
                value.u32(std::uint64_t(cpu.number)).u64(std::uint64_t(file.bytes.size())).u64(std::uint64_t(pages.bytes.size()));
                file.raw(pages.bytes);
            }
            file.bytes.replace(begin - 8, 8, MadeBytes(order).u64(std::uint64_t(file.bytes.size() - begin)).bytes);
            second += option(3, value.bytes);
        }
        eventsEnd = file.bytes.size();
        // Two options sections, the first of which names the second.
        const auto secondAt = std::uint64_t(file.bytes.size());
        file.raw(section(0, second + option(0, MadeBytes(order).u64(0).bytes)));
        const auto firstAt = std::uint64_t(hasEarlyOptions ? early : file.bytes.size());
        const QByteArray firstSection = section(0, first + option(0, MadeBytes(order).u64(secondAt).bytes));
        if (hasEarlyOptions)
            file.bytes.replace(early, firstSection.size(), firstSection);
        else
            file.raw(firstSection);
        file.bytes.replace(link, 8, MadeBytes(order).u64(firstAt).bytes);
        return file.bytes;
    }
};

} // namespace helio
