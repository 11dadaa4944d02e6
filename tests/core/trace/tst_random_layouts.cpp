#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/field_value.h"
#include "tests/core/trace/types.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace helio;
using namespace helio::types;

namespace {

/// Makes random nested types of all shapes; lengths and tags refer to earlier fields of the same event.
class RandomType {
public:
    explicit RandomType(unsigned seed)
        : m_random(seed)
    {
    }

    FieldTypePtr payload()
    {
        std::vector<Member> members;
        addMembers(members, {}, 0);
        members.push_back({"last", integer(64, alignment(), false, order())});
        return structure(std::move(members));
    }

    Bytes bytes()
    {
        Bytes all;
        const std::size_t count = upTo(600);
        for (std::size_t i = 0; i < count; ++i)
            all.u8({upTo(2) == 0 ? upTo(5) : upTo(255)}); // Small numbers lead to short sequences and to NULs, which end strings.
        return all;
    }

    unsigned upTo(unsigned most) { return std::uniform_int_distribution<unsigned>(0, most)(m_random); }

private:
    std::uint32_t alignment() { return 1U << upTo(6); }
    ByteOrder order() { return upTo(1) == 0 ? ByteOrder::Little : ByteOrder::Big; }

    FieldTypePtr number(std::uint32_t bits) { return integer(bits, alignment(), upTo(1) == 0, order()); }

    FieldTypePtr tagType()
    {
        return enumeration(integerType(1 + upTo(7), upTo(1) == 0, order()), {{"a", -4, 1}, {"b", 2, 2}, {"c", 3, 900}}, alignment());
    }

    void addMembers(std::vector<Member>& members, const std::vector<std::string>& path, unsigned depth)
    {
        const unsigned count = 1 + upTo(4);
        for (unsigned i = 0; i < count; ++i) {
            const std::string name = "m" + std::to_string(m_names++);
            std::vector<std::string> here = path;
            here.push_back(name);
            addMember(members, name, path, here, depth);
        }
    }

    void addMember(std::vector<Member>& members, const std::string& name, const std::vector<std::string>& path,
                   const std::vector<std::string>& here, unsigned depth)
    {
        const unsigned shape = upTo(depth > 3 ? 4 : 8);
        if (shape <= 1) {
            members.push_back({name, number(1 + upTo(63))});
        } else if (shape == 2) {
            members.push_back({name, string()});
        } else if (shape == 3) {
            members.push_back({name, tagType()});
        } else if (shape == 4) {
            members.push_back({name, real(upTo(1) == 0 ? 32 : 64, order())});
        } else if (shape == 5) {
            members.push_back({name, array(upTo(3) == 0 ? character() : nested(here, depth), upTo(4))});
        } else if (shape == 6) {
            std::vector<std::string> length = path;
            length.push_back(name + "_length");
            members.push_back({length.back(), number(2 + upTo(2))});
            members.push_back({name, sequence(upTo(3) == 0 ? character() : nested(here, depth), length)});
        } else if (shape == 7) {
            std::vector<std::string> tag = path;
            tag.push_back(name + "_tag");
            const FieldTypePtr type = tagType();
            members.push_back({tag.back(), type});
            std::vector<Member> options;
            for (const char* option : {"a", "b", "c"}) {
                std::vector<std::string> inside = here;
                inside.emplace_back(option);
                options.push_back({option, nested(inside, depth)});
            }
            members.push_back({name, variant(type, tag, std::move(options))});
        } else {
            members.push_back({name, nested(here, depth)});
        }
    }

    FieldTypePtr nested(const std::vector<std::string>& path, unsigned depth)
    {
        if (upTo(2) == 0)
            return number(1 + upTo(63));
        std::vector<Member> members;
        addMembers(members, path, depth + 1);
        return structure(std::move(members), alignment());
    }

    std::mt19937 m_random;
    unsigned m_names = 0;
};

std::optional<std::int64_t> integerIn(const FieldValue& value)
{
    if (const auto* number = std::get_if<std::int64_t>(&value.value))
        return *number;
    if (const auto* number = std::get_if<std::uint64_t>(&value.value))
        return static_cast<std::int64_t>(*number);
    if (const auto* number = std::get_if<EnumValue>(&value.value))
        return number->number;
    return {};
}

} // namespace

class TestRandomLayouts : public QObject {
    Q_OBJECT

private slots:
    void skippingDecodingAndHandlesAgreeForAnyTypeAndBytes()
    {
        int whole = 0;
        int cut = 0;
        for (unsigned seed = 1; seed <= 4000; ++seed) {
            RandomType random(seed);
            const FieldTypePtr payload = random.payload();
            OneEvent event(payload, random.bytes());
            event.record.headerBit = random.upTo(9);
            if (event.record.headerBit > event.view().packet.contentBits)
                continue;
            const StructLayout& layout = *event.type().layout(Section::Payload);
            QVERIFY(layout.isUsable());
            const std::uint64_t start = event.record.headerBit;
            event.record.payloadOffset = static_cast<std::uint32_t>(layout.alignedStart(start) - start);

            const std::uint64_t end = event.end();
            const auto values = decodeSection(event.view(), Section::Payload);
            const bool isWhole = !values.empty() && values.back().name == "last";

            QVERIFY2(isWhole == (end != CutOff), qPrintable(QString::number(seed)));
            (isWhole ? whole : cut)++;
            if (isWhole) {
                const Member& last = std::get<StructType>(payload->shape).members.back();
                QCOMPARE(integerIn(values.back().value),
                         std::optional(readInteger(event.view().packet.data, end - 64, *integerOf(*last.type))));
                QVERIFY(event.end(end) == end);
                QVERIFY(event.end(end - 1) == CutOff);
            }
            for (const NamedValue& value : values) {
                const FieldRef ref(event.type(), Section::Payload, value.name);
                QVERIFY(ref.isValid());
                if (!std::holds_alternative<std::vector<NamedValue>>(value.value.value))
                    QCOMPARE(ref.integer(event.view()), integerIn(value.value));
                if (const auto* text = std::get_if<std::string>(&value.value.value))
                    QCOMPARE(ref.text(event.view()), std::string_view(*text));
            }
        }
        QVERIFY(whole > 500);
        QVERIFY(cut > 500);
    }

    void anyCutOfAnyPacketIsSurvived()
    {
        for (unsigned seed = 1; seed <= 300; ++seed) {
            RandomType random(seed);
            const OneEvent event(random.payload(), random.bytes());
            std::uint64_t lastEnd = CutOff;
            for (std::uint64_t bits = event.view().packet.contentBits;; --bits) {
                const std::uint64_t end = event.end(bits);
                QVERIFY(end == CutOff || (end <= bits && (lastEnd == CutOff || end == lastEnd)));
                lastEnd = end;
                if (bits % 16 == 0)
                    decodeSection(event.viewCutAt(bits), Section::Payload);
                if (bits == 0)
                    break;
            }
        }
    }
};

HELIO_TEST(TestRandomLayouts)
#include "tst_random_layouts.moc"
