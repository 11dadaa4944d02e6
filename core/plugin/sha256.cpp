#include "core/plugin/sha256.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace helio {
namespace {

constexpr std::size_t BlockBytes = 64;

bool isPrime(std::uint32_t number)
{
    for (std::uint32_t divisor = 2; divisor * divisor <= number; ++divisor)
        if (number % divisor == 0)
            return false;
    return number >= 2;
}

__extension__ using Wide = unsigned __int128;
constexpr unsigned MostRootBits = 37; ///< Of roots of numbers below 2^9, with 32 bits behind the point.

/// The first 32 bits of the fraction of a number's square or cube root: the lower bits of the largest r with
/// r^power <= number * 2^(32 power), found bit by bit.
std::uint32_t rootFraction(std::uint32_t number, unsigned power)
{
    const Wide limit = Wide(number) << (32 * power);
    std::uint64_t root = 0;
    for (unsigned bit = MostRootBits; bit-- > 0;) {
        const std::uint64_t candidate = root | std::uint64_t(1) << bit;
        Wide product = candidate;
        for (unsigned i = 1; i < power; ++i)
            product *= candidate;
        if (product <= limit)
            root = candidate;
    }
    return static_cast<std::uint32_t>(root);
}

/// What the standard takes from the first primes, so that nobody has to trust a table.
struct Constants {
    std::array<std::uint32_t, 8> begin{}; ///< Of their square roots.
    std::array<std::uint32_t, 64> rounds{}; ///< Of their cube roots.

    Constants()
    {
        std::size_t found = 0;
        for (std::uint32_t number = 2; found < rounds.size(); ++number) {
            if (!isPrime(number))
                continue;
            if (found < begin.size())
                begin[found] = rootFraction(number, 2);
            rounds[found++] = rootFraction(number, 3);
        }
    }
};

using State = std::array<std::uint32_t, 8>;

void addBlock(State& state, const std::byte* block, const Constants& constants)
{
    std::array<std::uint32_t, 64> words;
    for (std::size_t i = 0; i < 16; ++i) {
        words[i] = 0;
        for (std::size_t byte = 0; byte < 4; ++byte)
            words[i] = words[i] << 8 | std::to_integer<std::uint32_t>(block[4 * i + byte]);
    }
    for (std::size_t i = 16; i < words.size(); ++i) {
        const std::uint32_t near = words[i - 2], far = words[i - 15];
        words[i] = words[i - 16] + words[i - 7] + (std::rotr(far, 7) ^ std::rotr(far, 18) ^ far >> 3)
            + (std::rotr(near, 17) ^ std::rotr(near, 19) ^ near >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t chosen = (e & f) ^ (~e & g), most = (a & b) ^ (a & c) ^ (b & c);
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + chosen + constants.rounds[i] + words[i];
        const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + most;
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const State added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] += added[i];
}

} // namespace

std::string sha256Of(std::span<const std::byte> bytes)
{
    static const Constants constants;
    State state = constants.begin;
    const std::uint64_t bits = std::uint64_t(bytes.size()) * 8;
    for (; bytes.size() >= BlockBytes; bytes = bytes.subspan(BlockBytes))
        addBlock(state, bytes.data(), constants);
    // What is left, a bit, zeros, and how many bits there were.
    std::array<std::byte, 2 * BlockBytes> last{};
    if (!bytes.empty())
        std::memcpy(last.data(), bytes.data(), bytes.size());
    last[bytes.size()] = std::byte{0x80};
    const std::size_t end = bytes.size() + 9 <= BlockBytes ? BlockBytes : last.size();
    for (std::size_t i = 0; i < 8; ++i)
        last[end - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
    for (std::size_t at = 0; at < end; at += BlockBytes)
        addBlock(state, last.data() + at, constants);
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string hex;
    for (const std::uint32_t word : state)
        for (int shift = 28; shift >= 0; shift -= 4)
            hex += Digits[word >> shift & 15];
    return hex;
}

} // namespace helio
