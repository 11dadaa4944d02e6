#include "core/plugin/plugin_decisions.h"

#include "core/plugin/heliograph_plugin.h"
#include "core/store/file/temporary_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <span>
#include <vector>

namespace helio {

namespace fs = std::filesystem;

namespace {

using Kind = PluginDecision::Kind;

std::string unusableWord() { return "unusable-" + std::to_string(HELIOGRAPH_PLUGIN_ABI); }

std::string wordOf(Kind kind) { return kind == Kind::Allowed ? "allowed" : kind == Kind::Forbidden ? "forbidden" : unusableWord(); }

std::optional<Kind> kindOf(std::string_view word)
{
    for (const Kind kind : {Kind::Allowed, Kind::Forbidden, Kind::Unusable})
        if (word == wordOf(kind))
            return kind;
    return {};
}

constexpr std::array<std::pair<char, char>, 3> Escapes{{{'\t', 't'}, {'\n', 'n'}, {'\\', '\\'}}};

std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const auto escape = std::ranges::find(Escapes, c, &std::pair<char, char>::first);
        if (escape == Escapes.end())
            out += c;
        else
            out.append(1, '\\').append(1, escape->second);
    }
    return out;
}

std::string unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isEscape = text[i] == '\\' && i + 1 < text.size();
        const auto escape = isEscape ? std::ranges::find(Escapes, text[i + 1], &std::pair<char, char>::second) : Escapes.end();
        out += escape == Escapes.end() ? text[i] : escape->first;
        i += escape == Escapes.end() ? 0 : 1;
    }
    return out;
}

std::vector<std::string> cellsOf(std::string_view line)
{
    std::vector<std::string> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find('\t', begin), line.size());
        cells.push_back(unescaped(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return cells;
}

} // namespace

PluginDecisions::Map PluginDecisions::all() const
{
    Map found;
    std::ifstream in(m_file);
    for (std::string line; std::getline(in, line);) {
        const auto cells = cellsOf(line);
        const auto kind = kindOf(cells.front());
        if (kind && cells.size() == 4)
            found[cells[2]] = {*kind, cells[1], cells[3]};
    }
    return found;
}

Status PluginDecisions::set(const fs::path& plugin, const PluginDecision& decision) const
{
    Map decisions = all();
    decisions[plugin] = decision;
    std::string text;
    for (const auto& [path, it] : decisions)
        text += wordOf(it.kind) + '\t' + escaped(it.hash) + '\t' + escaped(path.string()) + '\t' + escaped(it.reason) + '\n';
    const auto file = TemporaryFile::make(m_file);
    if (!file)
        return file.error();
    (*file)->append(std::as_bytes(std::span(text)));
    return (*file)->commit();
}

} // namespace helio
