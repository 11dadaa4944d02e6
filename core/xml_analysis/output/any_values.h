#pragma once

#include "core/store/any_value.h"
#include "core/store/store.h"
#include "core/xml_analysis/running/texts.h"

#include <optional>
#include <vector>

namespace helio::xml {

/// How rows show values: the states of a set that says their types, and values of ValueKind::Any. One thread.
class AnyValues {
public:
    /// Both outlive it.
    AnyValues(const Texts& texts, StateSink& sink)
        : m_texts(texts)
        , m_sink(sink)
    {
    }

    /// The states int, long, double and string, by typeState(); more may be added behind them. `showsText`: bars say the value.
    StateSetId addSet(const std::string& id, const std::string& title, bool showsText);
    /// Requires: not null.
    static State typeState(const Value& value) { return State(static_cast<std::uint8_t>(static_cast<int>(value.type()) - 1)); }

    /// Requires: not null. Nothing: the store has as many numbers as it can hold.
    std::optional<std::uint32_t> of(const Value& value)
    {
        if (value.isInteger() && !isShownOtherwise(value))
            if (const auto small = AnyValue::small(value.integer()))
                return small;
        return ofOther(value);
    }
    std::uint32_t ofText(std::string_view text);
    StringId stringOf(TextId text);

private:
    std::optional<std::uint32_t> ofOther(const Value& value);

    const Texts& m_texts;
    StateSink& m_sink;
    std::vector<std::optional<StringId>> m_strings; ///< By TextId.
};

} // namespace helio::xml
