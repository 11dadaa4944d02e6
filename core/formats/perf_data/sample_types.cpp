#include "core/formats/perf_data/sample_types.h"

#include <string_view>

namespace helio::perf {
namespace {

using tracepoint::makeType;

constexpr std::array<std::string_view, 24> X86{
    "ax", "bx", "cx", "dx", "si", "di", "bp",  "sp",  "ip",  "flags", "cs",  "ss",
    "ds", "es", "fs", "gs", "r8", "r9", "r10", "r11", "r12", "r13",   "r14", "r15",
};

/// Returns the name of the register for a bit of a register mask, "r<bit>" if unknown. `machine` is the output of uname -m.
std::string registerName(std::string_view machine, unsigned bit)
{
    const bool isX86 = machine == "x86_64" || machine == "i386" || machine == "i686";
    if (isX86 && bit < X86.size())
        return std::string(X86[bit]);
    if (machine == "aarch64" && bit < 33)
        return bit == 30 ? "lr" : bit == 31 ? "sp" : bit == 32 ? "pc" : "x" + std::to_string(bit);
    return "r" + std::to_string(bit);
}

/// Builds a structure type member by member.
class Builder {
public:
    explicit Builder(ByteOrder order)
        : m_order(order)
    {
    }

    Builder& add(std::string name, FieldTypePtr type)
    {
        m_struct.members.push_back({std::move(name), std::move(type)});
        return *this;
    }
    Builder& hide(std::string name, FieldTypePtr type)
    {
        m_struct.members.push_back({std::move(name), std::move(type), true});
        return *this;
    }
    Builder& word(std::string name, DisplayBase base = DisplayBase::Decimal) { return add(std::move(name), number(64, base)); }
    Builder& address(std::string name) { return word(std::move(name), DisplayBase::Hexadecimal); }
    Builder& hideWord(std::string name = {}) { return hide(std::move(name), number(64)); }

    FieldTypePtr number(unsigned bits, DisplayBase base = DisplayBase::Decimal, bool isSigned = false) const
    {
        IntegerType type;
        type.bits = static_cast<std::uint8_t>(bits);
        type.isSigned = isSigned;
        type.order = m_order;
        type.base = base;
        return makeType(type, bits % 8 == 0 ? 8 : 1);
    }
    FieldTypePtr sequence(FieldTypePtr element, Section section, std::vector<std::string> length) const
    {
        return makeType(SequenceType{std::move(element), {section, std::move(length)}});
    }

    /// Makes a variant type. The integer field `tag`, which precedes the variant, selects the option: value i selects option i, and larger
    /// values select the last option.
    FieldTypePtr choice(Section section, std::string tag, std::vector<FieldTypePtr> options) const
    {
        EnumType tags;
        tags.container.bits = 64;
        tags.container.order = m_order;
        VariantType variant;
        for (std::size_t i = 0; i < options.size(); ++i) {
            const bool isLast = i + 1 == options.size();
            const auto value = static_cast<std::int64_t>(i);
            tags.ranges.push_back({"option" + std::to_string(i), value, isLast ? std::int64_t{-1} : value});
            variant.options.push_back({tags.ranges.back().label, std::move(options[i])});
        }
        variant.tagType = makeType(std::move(tags));
        variant.tag = {section, {std::move(tag)}};
        return makeType(std::move(variant));
    }

    ByteOrder order() const { return m_order; }
    FieldTypePtr finish() { return makeType(std::move(m_struct)); }

private:
    ByteOrder m_order;
    StructType m_struct;
};

/// Adds the header of a record {u32 type, u16 misc, u16 size} to a structure. Some bits of `misc` become separate fields.
class HeaderBits {
public:
    explicit HeaderBits(Builder& builder)
        : m_builder(builder)
    {
        m_builder.hide({}, m_builder.number(32));
    }

    /// Adds the next bits of `misc`, in ascending order, as one field. A field with an empty name is hidden.
    void bits(unsigned count, std::string name, FieldTypePtr type = {})
    {
        const bool isHidden = name.empty();
        m_members.push_back({std::move(name), type ? std::move(type) : m_builder.number(count), isHidden});
    }

    /// Adds `misc` and `size` to the structure. In big-endian order, the fields of the highest bits come first.
    void finish()
    {
        const bool isBig = m_builder.order() == ByteOrder::Big;
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            Member& member = m_members[isBig ? m_members.size() - 1 - i : i];
            if (member.isHidden)
                m_builder.hide({}, std::move(member.type));
            else
                m_builder.add(std::move(member.name), std::move(member.type));
        }
        m_builder.hide({}, m_builder.number(16));
    }

private:
    Builder& m_builder;
    std::vector<Member> m_members;
};

FieldTypePtr cpuModeType(ByteOrder order)
{
    EnumType type;
    type.container.bits = 3;
    type.container.order = order;
    const char* names[] = {"unknown", "kernel", "user", "hypervisor", "guest-kernel", "guest-user"};
    for (std::int64_t i = 0; i < 6; ++i)
        type.ranges.push_back({names[i], i, i});
    return makeType(std::move(type), 1);
}

/// Builds the type of a whole sample record, including its header.
class SampleTypeBuilder {
public:
    SampleTypeBuilder(const Attribute& attribute, const std::string& machine, const std::vector<EnumRange>& idLabels, ByteOrder order,
                      Section section)
        : m_attribute(attribute)
        , m_idLabels(idLabels)
        , m_machine(machine)
        , m_builder(order)
        , m_section(section)
    {
    }

    /// Returns the type. `hidesIds` hides pid and tid; `hidesRaw` hides the raw bytes.
    FieldTypePtr make(bool hidesIds, bool hidesRaw)
    {
        HeaderBits header(m_builder);
        header.bits(3, "cpumode", cpuModeType(m_builder.order()));
        header.bits(11, {});
        header.bits(1, "exact_ip");
        header.bits(1, {});
        header.finish();
        addFixed(hidesIds);
        addCounters();
        addChainAndRaw(hidesRaw);
        addBranches();
        addState();
        addRest();
        return m_builder.finish();
    }

private:
    bool has(std::uint64_t bit) const { return m_attribute.has(bit); }

    void addFixed(bool hidesIds)
    {
        if (has(sample::Identifier))
            has(sample::Id) ? m_builder.hideWord() : addId();
        if (has(sample::Ip))
            m_builder.address("ip");
        if (has(sample::Tid)) {
            const FieldTypePtr number = m_builder.number(32, DisplayBase::Decimal, true);
            for (const char* name : {"pid", "tid"})
                hidesIds ? m_builder.hide({}, number) : m_builder.add(name, number);
        }
        if (has(sample::Time))
            m_builder.hideWord();
        if (has(sample::Addr))
            m_builder.address("addr");
        if (has(sample::Id))
            addId();
        if (has(sample::StreamId))
            m_builder.word("stream_id");
        if (has(sample::Cpu))
            m_builder.hideWord();
        if (has(sample::Period))
            m_builder.word("period");
    }

    /// Adds the event ID; with its label if guests have IDs.
    Builder& addId()
    {
        if (m_idLabels.empty())
            return m_builder.word("id");
        EnumType labelled;
        labelled.container.bits = 64;
        labelled.container.order = m_builder.order();
        labelled.ranges = m_idLabels;
        return m_builder.add("id", makeType(std::move(labelled), 8));
    }

    /// Adds the counter values of PERF_SAMPLE_READ.
    void addCounters()
    {
        if (!has(sample::Read))
            return;
        const auto reads = [&](std::uint64_t bit) { return (m_attribute.readFormat & bit) != 0; };
        const auto addTimes = [&](Builder& builder) {
            if (reads(readformat::TimeEnabled))
                builder.word("time_enabled");
            if (reads(readformat::TimeRunning))
                builder.word("time_running");
        };
        const auto addIds = [&](Builder& builder) {
            if (reads(readformat::Id))
                builder.word("id");
            if (reads(readformat::Lost))
                builder.word("lost");
        };
        Builder read(m_builder.order());
        if (!reads(readformat::Group)) {
            read.word("value");
            addTimes(read);
            addIds(read);
            m_builder.add("read", read.finish());
            return;
        }
        Builder each(m_builder.order());
        each.word("value");
        addIds(each);
        read.word("nr");
        addTimes(read);
        read.add("values", m_builder.sequence(each.finish(), m_section, {"read", "nr"}));
        m_builder.add("read", read.finish());
    }

    void addChainAndRaw(bool hidesRaw)
    {
        if (has(sample::Callchain)) {
            m_builder.hideWord("callchain_size");
            m_builder.add("callchain", m_builder.sequence(m_builder.number(64, DisplayBase::Hexadecimal), m_section, {"callchain_size"}));
        }
        if (has(sample::Raw)) {
            m_builder.hide("raw_size", m_builder.number(32));
            FieldTypePtr bytes = m_builder.sequence(m_builder.number(8, DisplayBase::Hexadecimal), m_section, {"raw_size"});
            hidesRaw ? m_builder.hide({}, std::move(bytes)) : m_builder.add("raw", std::move(bytes));
        }
    }

    void addBranches()
    {
        if (!has(sample::BranchStack))
            return;
        m_builder.hideWord("branch_count");
        if ((m_attribute.branchType & branch::HwIndex) != 0)
            m_builder.word("branch_hw_index");
        Builder entry(m_builder.order());
        entry.address("from").address("to").address("flags");
        m_builder.add("branches", m_builder.sequence(entry.finish(), m_section, {"branch_count"}));
        if ((m_attribute.branchType & branch::Counters) != 0)
            m_builder.add("branch_counters",
                          m_builder.sequence(m_builder.number(64, DisplayBase::Hexadecimal), m_section, {"branch_count"}));
    }

    /// Adds the registers of `mask`. A sample contains no registers if its ABI is 0.
    void addRegisters(const std::string& name, std::uint64_t mask)
    {
        Builder some(m_builder.order());
        for (unsigned bit = 0; bit < 64; ++bit)
            if ((mask >> bit & 1) != 0)
                some.address(registerName(m_machine, bit));
        const FieldTypePtr registers = some.finish();
        m_builder.word(name + "_abi");
        m_builder.add(name, m_builder.choice(m_section, name + "_abi", {Builder(m_builder.order()).finish(), registers}));
    }

    void addState()
    {
        if (has(sample::RegsUser))
            addRegisters("user_registers", m_attribute.userRegisters);
        if (!has(sample::StackUser))
            return;
        Builder copy(m_builder.order());
        copy.hide({}, m_builder.sequence(m_builder.number(8), m_section, {"user_stack_size"}));
        copy.word("used");
        m_builder.word("user_stack_size");
        m_builder.add("user_stack", m_builder.choice(m_section, "user_stack_size", {Builder(m_builder.order()).finish(), copy.finish()}));
    }

    void addWeight()
    {
        if (has(sample::Weight)) {
            m_builder.word("weight");
        } else if (has(sample::WeightStruct)) {
            const bool isBig = m_builder.order() == ByteOrder::Big;
            const FieldTypePtr small = m_builder.number(16);
            if (isBig)
                m_builder.add("weight3", small).add("weight2", small);
            m_builder.add("weight", m_builder.number(32));
            if (!isBig)
                m_builder.add("weight2", small).add("weight3", small);
        }
    }

    void addRest()
    {
        addWeight();
        if (has(sample::DataSrc))
            m_builder.address("data_src");
        if (has(sample::Transaction))
            m_builder.address("transaction");
        if (has(sample::RegsIntr))
            addRegisters("interrupt_registers", m_attribute.interruptRegisters);
        if (has(sample::PhysAddr))
            m_builder.address("phys_addr");
        if (has(sample::Cgroup))
            m_builder.word("cgroup");
        if (has(sample::DataPageSize))
            m_builder.word("data_page_size");
        if (has(sample::CodePageSize))
            m_builder.word("code_page_size");
        if (has(sample::Aux)) {
            m_builder.word("aux_size");
            m_builder.hide({}, m_builder.sequence(m_builder.number(8), m_section, {"aux_size"}));
        }
    }

    const Attribute& m_attribute;
    const std::vector<EnumRange>& m_idLabels;
    const std::string& m_machine;
    Builder m_builder;
    Section m_section;
};

FieldTypePtr threadType(ByteOrder order)
{
    Builder builder(order);
    builder.add("pid", builder.number(32, DisplayBase::Decimal, true)).add("tid", builder.number(32, DisplayBase::Decimal, true));
    return builder.finish();
}

} // namespace

bool hasTracepointType(const Attribute& attribute, const tracepoint::TracingData& tracing)
{
    return attribute.isTracepoint() && attribute.has(sample::Raw) && tracing.tracepoints.contains(attribute.config);
}

FieldTypePtr SampleTypes::body(const Attribute& a, bool isContext)
{
    FieldTypePtr& known = m_bodies[{a.sampleType, a.readFormat, a.branchType, a.userRegisters, a.interruptRegisters, isContext}];
    if (!known)
        known = SampleTypeBuilder(a, m_machine, m_idLabels, m_order, isContext ? Section::StreamContext : Section::Payload)
                    .make(!isContext, isContext);
    return known;
}

EventType SampleTypes::make(const Attribute& attribute)
{
    EventType type;
    type.name = attribute.name;
    if (hasTracepointType(attribute, m_tracing)) {
        type.streamContext = body(attribute, true);
        type.payload = tracepoint::makeTracepointType(m_tracing.tracepoints.at(attribute.config), m_tracing);
        return type;
    }
    type.payload = body(attribute, false);
    if (!m_thread)
        m_thread = threadType(m_order);
    if (attribute.has(sample::Tid))
        type.streamContext = m_thread;
    return type;
}

EventType makeSwitchType(bool isCpuWide, bool hasTid, ByteOrder order)
{
    EventType type;
    type.name = isCpuWide ? "PERF_RECORD_SWITCH_CPU_WIDE" : "PERF_RECORD_SWITCH";
    Builder builder(order);
    HeaderBits header(builder);
    header.bits(13, {});
    header.bits(1, "out");
    header.bits(1, "preempt");
    header.bits(1, {});
    header.finish();
    if (isCpuWide)
        for (const char* name : {"next_prev_pid", "next_prev_tid"})
            builder.add(name, builder.number(32, DisplayBase::Decimal, true));
    type.payload = builder.finish();
    if (hasTid)
        type.streamContext = threadType(order);
    return type;
}

} // namespace helio::perf
