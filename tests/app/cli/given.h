#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

namespace helio::test {

/// Parses arguments into options, as a command does; `add` declares the options.
/// Errors: kind Usage for an unknown option or value.
template <typename Add> Status parse(const Add& add, std::vector<std::string> arguments)
{
    CLI::App app;
    OptionList list(app);
    add(list);
    std::ranges::reverse(arguments); // CLI11 expects the arguments in reverse order.
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
        return Error{Error::Kind::Usage, error.what()};
    }
    return Done{};
}

/// Parses arguments for an option group with the members addTo() and read().
template <typename Options> Status give(Options& options, std::vector<std::string> arguments)
{
    if (const auto done = parse([&](OptionList& list) { options.addTo(list); }, std::move(arguments)); !done)
        return done;
    return options.read();
}

} // namespace helio::test
