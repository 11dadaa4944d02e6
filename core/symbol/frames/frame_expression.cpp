#include "core/symbol/frames/frame_expression.h"

#include "core/symbol/frames/dwarf_reader.h"

#include <dwarf.h>
#include <vector>

namespace helio {
namespace {

constexpr int MostOperations = 1000;
constexpr std::size_t MostValues = 256; ///< Limit of the stack.

class Evaluation {
public:
    Evaluation(std::span<const std::byte> expression, std::uint64_t bias, const FrameRegisterValues& registers,
               const ReadMemory& readMemory)
        : m_reader(expression)
        , m_bias(bias)
        , m_registers(registers)
        , m_readMemory(readMemory)
    {
    }

    std::optional<std::uint64_t> run(std::optional<std::uint64_t> initial)
    {
        if (initial)
            push(*initial);
        for (int count = 0; !m_reader.isAtEnd() && !m_hasFailed; ++count) {
            if (count >= MostOperations)
                return {};
            step(m_reader.u8());
        }
        return m_hasFailed || m_reader.hasFailed() || m_stack.empty() ? std::nullopt : std::optional(m_stack.back());
    }

private:
    void push(std::optional<std::uint64_t> value)
    {
        m_hasFailed = m_hasFailed || !value || m_stack.size() >= MostValues;
        if (!m_hasFailed)
            m_stack.push_back(*value);
    }
    std::uint64_t pop()
    {
        m_hasFailed = m_hasFailed || m_stack.empty();
        if (m_hasFailed)
            return 0;
        const std::uint64_t value = m_stack.back();
        m_stack.pop_back();
        return value;
    }
    /// Pushes a copy of the value that lies `depth` values below the top.
    void pick(std::size_t depth) { push(depth < m_stack.size() ? std::optional(m_stack[m_stack.size() - 1 - depth]) : std::nullopt); }

    /// Replaces the two topmost values by the result of `compute(second, top)`.
    template <typename Compute> void binary(const Compute& compute)
    {
        const std::uint64_t top = pop();
        const std::uint64_t second = pop();
        push(compute(second, top));
    }
    template <typename Compare> void compare(const Compare& isTrue)
    {
        binary([&](std::uint64_t a, std::uint64_t b) -> std::uint64_t {
            return isTrue(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)) ? 1 : 0;
        });
    }
    void jump(std::int64_t distance) { m_reader.seek(m_reader.position() + static_cast<std::uint64_t>(distance)); }

    void step(std::uint8_t operation)
    {
        if (operation >= DW_OP_lit0 && operation <= DW_OP_lit31)
            return push(operation - DW_OP_lit0);
        if (operation >= DW_OP_breg0 && operation <= DW_OP_breg31)
            return pushRegister(operation - DW_OP_breg0);
        switch (operation) {
        case DW_OP_nop: return;
        case DW_OP_addr: return push(m_reader.number<std::uint64_t>() + m_bias);
        case DW_OP_const1u: return push(m_reader.u8());
        case DW_OP_const2u: return push(m_reader.number<std::uint16_t>());
        case DW_OP_const4u: return push(m_reader.number<std::uint32_t>());
        case DW_OP_const1s: return push(static_cast<std::uint64_t>(std::int64_t{m_reader.number<std::int8_t>()}));
        case DW_OP_const2s: return push(static_cast<std::uint64_t>(std::int64_t{m_reader.number<std::int16_t>()}));
        case DW_OP_const4s: return push(static_cast<std::uint64_t>(std::int64_t{m_reader.number<std::int32_t>()}));
        case DW_OP_const8u:
        case DW_OP_const8s: return push(m_reader.number<std::uint64_t>());
        case DW_OP_constu: return push(m_reader.uleb128());
        case DW_OP_consts: return push(static_cast<std::uint64_t>(m_reader.sleb128()));
        case DW_OP_bregx: return pushRegister(m_reader.uleb128());
        case DW_OP_deref: return push(loaded(pop(), 8));
        case DW_OP_deref_size: {
            const std::uint64_t address = pop();
            return push(loaded(address, m_reader.u8()));
        }
        case DW_OP_skip: return jump(m_reader.number<std::int16_t>());
        case DW_OP_bra: {
            const auto distance = m_reader.number<std::int16_t>();
            return pop() != 0 ? jump(distance) : void();
        }
        default: return stepOnStack(operation);
        }
    }

    void stepOnStack(std::uint8_t operation)
    {
        using U = std::uint64_t;
        using S = std::int64_t;
        switch (operation) {
        case DW_OP_dup: return pick(0);
        case DW_OP_drop: pop(); return;
        case DW_OP_over: return pick(1);
        case DW_OP_pick: return pick(m_reader.u8());
        case DW_OP_swap: {
            const U top = pop(), second = pop();
            push(top);
            return push(second);
        }
        case DW_OP_rot: {
            const U top = pop(), second = pop(), third = pop();
            push(top);
            push(third);
            return push(second);
        }
        case DW_OP_abs: {
            const U value = pop();
            return push(static_cast<S>(value) < 0 ? 0 - value : value);
        }
        case DW_OP_neg: return push(0 - pop());
        case DW_OP_not: return push(~pop());
        case DW_OP_plus_uconst: {
            const U value = pop();
            return push(value + m_reader.uleb128());
        }
        case DW_OP_and: return binary([](U a, U b) { return a & b; });
        case DW_OP_or: return binary([](U a, U b) { return a | b; });
        case DW_OP_xor: return binary([](U a, U b) { return a ^ b; });
        case DW_OP_plus: return binary([](U a, U b) { return a + b; });
        case DW_OP_minus: return binary([](U a, U b) { return a - b; });
        case DW_OP_mul: return binary([](U a, U b) { return a * b; });
        case DW_OP_shl: return binary([](U a, U b) { return b < 64 ? a << b : 0; });
        case DW_OP_shr: return binary([](U a, U b) { return b < 64 ? a >> b : 0; });
        case DW_OP_shra: return binary([](U a, U b) { return static_cast<U>(static_cast<S>(a) >> (b < 64 ? b : 63)); });
        case DW_OP_div: return binary([](U a, U b) { return quotient(static_cast<S>(a), static_cast<S>(b)); });
        case DW_OP_mod: return binary([](U a, U b) { return b != 0 ? std::optional(a % b) : std::nullopt; });
        case DW_OP_eq: return compare([](S a, S b) { return a == b; });
        case DW_OP_ne: return compare([](S a, S b) { return a != b; });
        case DW_OP_lt: return compare([](S a, S b) { return a < b; });
        case DW_OP_le: return compare([](S a, S b) { return a <= b; });
        case DW_OP_gt: return compare([](S a, S b) { return a > b; });
        case DW_OP_ge: return compare([](S a, S b) { return a >= b; });
        default: m_hasFailed = true;
        }
    }

    /// Returns nullopt for a division that is not defined.
    static std::optional<std::uint64_t> quotient(std::int64_t a, std::int64_t b)
    {
        if (b == 0 || (b == -1 && a == INT64_MIN))
            return {};
        return static_cast<std::uint64_t>(a / b);
    }
    void pushRegister(std::uint64_t number)
    {
        const auto offset = static_cast<std::uint64_t>(m_reader.sleb128());
        const auto value = m_registers.get(number);
        push(value ? std::optional(*value + offset) : std::nullopt);
    }
    std::optional<std::uint64_t> loaded(std::uint64_t address, unsigned size) const
    {
        const auto word = m_hasFailed || size == 0 || size > 8 ? std::nullopt : m_readMemory(address);
        return word && size < 8 ? std::optional(*word & ((std::uint64_t{1} << (size * 8)) - 1)) : word;
    }

    DwarfReader m_reader;
    std::uint64_t m_bias;
    const FrameRegisterValues& m_registers;
    const ReadMemory& m_readMemory;
    std::vector<std::uint64_t> m_stack;
    bool m_hasFailed = false;
};

} // namespace

std::optional<std::uint64_t> valueOfExpression(std::span<const std::byte> expression, std::optional<std::uint64_t> initial,
                                               std::uint64_t bias, const FrameRegisterValues& registers, const ReadMemory& readMemory)
{
    return Evaluation(expression, bias, registers, readMemory).run(initial);
}

} // namespace helio
