#include "core/store/sampling/sample_blocks.h"

#include <algorithm>
#include <limits>

namespace helio {
namespace {

/// Packs the mode and the booleans of a sample into a byte.
std::uint8_t flagsOf(const HostSample& sample)
{
    return static_cast<std::uint8_t>(static_cast<unsigned>(sample.mode) | (sample.isUnwound ? 0x10u : 0u) | (sample.isCut ? 0x20u : 0u)
                                     | (sample.isIdle ? 0x40u : 0u));
}

bool takeFlags(std::uint8_t flags, HostSample& sample)
{
    sample.mode = CodeMode(flags & 0xf);
    sample.isUnwound = flags & 0x10;
    sample.isCut = flags & 0x20;
    sample.isIdle = flags & 0x40;
    return sample.mode <= CodeMode::GuestUser && !(flags & 0x80);
}

/// Differences wrap around, so any two numbers have one.
std::int64_t difference(std::uint64_t a, std::uint64_t b) { return static_cast<std::int64_t>(a - b); }
std::uint64_t sum(std::uint64_t a, std::int64_t b) { return a + static_cast<std::uint64_t>(b); }

} // namespace

void encodeSamples(std::span<const HostSample> samples, ByteWriter& out)
{
    const auto differences = [&](const auto& valueOf) {
        std::uint64_t last = 0;
        for (const HostSample& sample : samples) {
            const std::uint64_t value = valueOf(sample);
            out.putSigned(difference(value, last));
            last = value;
        }
    };
    differences([](const HostSample& s) { return static_cast<std::uint64_t>(nanoseconds(s.time)); });
    differences([](const HostSample& s) { return s.weight; });
    differences([](const HostSample& s) { return s.event; });
    for (const HostSample& sample : samples)
        out.put(static_cast<std::uint32_t>(sample.stack));
    for (const HostSample& sample : samples)
        out.put(static_cast<std::uint32_t>(sample.thread) + 1u);
    for (const HostSample& sample : samples)
        out.put(static_cast<std::uint32_t>(sample.cpu) + 1u);
    for (const HostSample& sample : samples)
        out.putByte(flagsOf(sample));
}

bool decodeSamples(std::span<const std::byte> bytes, std::size_t count, SampleKindId kind, std::size_t nodes, std::vector<HostSample>& out)
{
    out.assign(count, {});
    ByteReader in(bytes);
    const auto differences = [&](const auto& take) {
        std::uint64_t value = 0;
        for (HostSample& sample : out)
            take(sample, value = sum(value, in.getSigned()));
    };
    differences([](HostSample& s, std::uint64_t v) { s.time = hostTime(static_cast<std::int64_t>(v)); });
    differences([](HostSample& s, std::uint64_t v) { s.weight = v; });
    differences([](HostSample& s, std::uint64_t v) { s.event = v; });
    bool isGood = true;
    for (HostSample& sample : out) {
        const std::uint32_t stack = in.get32();
        isGood &= stack < nodes;
        sample.stack = StackId{stack};
        sample.kind = kind;
    }
    for (HostSample& sample : out)
        sample.thread = TrackId{in.get32() - 1};
    for (HostSample& sample : out)
        sample.cpu = static_cast<std::int32_t>(in.get32() - 1);
    for (HostSample& sample : out)
        isGood &= takeFlags(in.getByte(), sample);
    return isGood && in.isAtEnd();
}

void encodeKinds(std::span<const SampleKind> kinds, ByteWriter& out)
{
    out.put(kinds.size());
    for (const SampleKind& kind : kinds) {
        out.putText(kind.name);
        out.putText(kind.unit);
        out.putByte(static_cast<std::uint8_t>(kind.origin));
        out.putByte(kind.isTime ? 1 : 0);
        out.put(static_cast<std::uint64_t>(kind.spacing.count()));
        out.put(kind.leastWeight);
        out.put(kind.mostWeight);
    }
}

bool decodeKinds(std::span<const std::byte> bytes, std::vector<SampleKind>& out)
{
    ByteReader in(bytes);
    const std::size_t count = in.getCount(7);
    if (count > std::numeric_limits<std::uint8_t>::max())
        return false;
    for (std::size_t i = 0; i < count; ++i) {
        SampleKind& kind = out.emplace_back();
        kind.name = in.getText();
        kind.unit = in.getText();
        const std::uint8_t origin = in.getByte();
        kind.origin = SampleKind::Origin(origin);
        kind.isTime = in.getByte() != 0;
        kind.spacing = Duration(static_cast<std::int64_t>(std::min<std::uint64_t>(in.get(), INT64_MAX)));
        kind.leastWeight = in.get();
        kind.mostWeight = in.get();
        if (origin > static_cast<std::uint8_t>(SampleKind::Origin::Counted))
            return false;
    }
    return in.isAtEnd();
}

} // namespace helio
