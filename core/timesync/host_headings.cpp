#include "core/timesync/host_headings.h"

#include "core/timesync/host_clocks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace helio {
namespace {

/// Category colours in the order of use; colours that are easy to tell apart come first.
constexpr std::array<std::int32_t, 8> FirstColors{1, 0, 4, 3, 2, 7, 5, 6};
constexpr std::int32_t Colors = 20;

std::int32_t colorOf(const TimelineHost& host, std::size_t place)
{
    if (host.look.color >= 0)
        return host.look.color;
    return place < FirstColors.size() ? FirstColors[place] : static_cast<std::int32_t>(place % Colors);
}

/// Returns the first character of a UTF-8 string, capitalized if it is an ASCII letter.
std::string letterOf(std::string_view name)
{
    if (name.empty())
        return {};
    const auto lead = static_cast<unsigned char>(name[0]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::string letter(name.substr(0, length));
    if (lead < 0x80)
        letter[0] = static_cast<char>(std::toupper(lead));
    return letter;
}

/// A host's name. `rest`: the end of the name that is left after prefixes shared with other names were removed.
struct NameRest {
    std::size_t host;
    std::string_view rest;
};

bool isSeparator(char c) { return c == '-' || c == '_' || c == '.' || c == ' '; }

/// Removes from each NameRest::rest the prefix that all of them share, and separators after this prefix. A `rest` that would become empty
/// stays unchanged.
void removeCommonPrefix(std::vector<NameRest>& names)
{
    std::string_view prefix = names.front().rest;
    for (const NameRest& it : names)
        prefix = prefix.substr(0, static_cast<std::size_t>(std::ranges::mismatch(prefix, it.rest).in1 - prefix.begin()));
    const auto splits = [&](const NameRest& it) { // True if the prefix ends inside a UTF-8 character of `rest`.
        return prefix.size() < it.rest.size() && (static_cast<unsigned char>(it.rest[prefix.size()]) & 0xc0) == 0x80;
    };
    while (!prefix.empty() && std::ranges::any_of(names, splits))
        prefix.remove_suffix(1);
    for (NameRest& it : names) {
        std::string_view rest = it.rest.substr(prefix.size());
        while (!rest.empty() && isSeparator(rest.front()))
            rest.remove_prefix(1);
        if (!rest.empty())
            it.rest = rest;
    }
}

/// Returns the letter of each host. If several names begin with the same letter, removes the prefix that they share and takes the next
/// letter of each name.
std::vector<std::string> lettersOf(const std::vector<std::string>& names)
{
    std::vector<std::string> letters(names.size());
    std::vector<NameRest> all;
    for (std::size_t host = 0; host < names.size(); ++host)
        all.push_back({host, names[host]});
    std::vector<std::vector<NameRest>> pending{std::move(all)};
    while (!pending.empty()) {
        std::map<std::string, std::vector<NameRest>> groups;
        for (const NameRest& it : pending.back())
            groups[letterOf(it.rest)].push_back(it);
        pending.pop_back();
        for (auto& [letter, group] : groups) {
            std::vector<NameRest> before = group;
            if (group.size() > 1)
                removeCommonPrefix(group);
            const bool isSame = std::ranges::equal(before, group, {}, &NameRest::rest, &NameRest::rest);
            if (group.size() > 1 && !isSame)
                pending.push_back(std::move(group));
            else
                for (const NameRest& it : group)
                    letters[it.host] = letter;
        }
    }
    return letters;
}

/// Returns the characters that may stand for a host, the best first: the given letter, the initials of the name's words, all characters of
/// the name, and the digits.
std::vector<std::string> badgeCandidates(const std::string& letter, std::string_view name)
{
    std::vector<std::string> initials, others;
    bool isInitial = true;
    for (std::string_view rest = name; !rest.empty();) {
        const std::string character = letterOf(rest);
        rest.remove_prefix(character.size());
        const bool isWord = static_cast<unsigned char>(character[0]) >= 0x80 || std::isalnum(static_cast<unsigned char>(character[0]));
        if (isWord)
            (isInitial ? initials : others).push_back(character);
        isInitial = !isWord;
    }
    std::vector<std::string> all{letter};
    const auto add = [&](const std::string& it) {
        if (std::ranges::find(all, it) == all.end())
            all.push_back(it);
    };
    std::ranges::for_each(initials, add);
    std::ranges::for_each(others, add);
    for (char digit = '1'; digit <= '9'; ++digit)
        add({digit});
    add("0");
    return all;
}

/// Assigns each host a letter that no other host has, as far as the candidates allow: a maximum matching of hosts and letters.
class BadgeAssignment {
public:
    explicit BadgeAssignment(std::vector<std::vector<std::string>> candidates)
        : m_candidates(std::move(candidates))
    {
    }

    bool isFree(const std::string& letter) const { return !m_owners.contains(letter); }
    void assign(std::size_t host, const std::string& letter) { m_owners[letter] = host; }
    /// Assigns the first free candidate, else a candidate whose owner can take another one. Returns false if there is none.
    bool assignAny(std::size_t host)
    {
        std::set<std::string> tried;
        return assignAny(host, tried);
    }
    const std::map<std::string, std::size_t>& owners() const { return m_owners; }

private:
    bool assignAny(std::size_t host, std::set<std::string>& tried)
    {
        const auto& candidates = m_candidates[host];
        auto found = std::ranges::find_if(candidates, [&](const std::string& it) { return isFree(it); });
        if (found == candidates.end())
            found = std::ranges::find_if(candidates,
                                         [&](const std::string& it) { return tried.insert(it).second && assignAny(m_owners[it], tried); });
        if (found == candidates.end())
            return false;
        assign(host, *found);
        return true;
    }

    std::vector<std::vector<std::string>> m_candidates; ///< Candidates of each host, the best first.
    std::map<std::string, std::size_t> m_owners; ///< Host of each letter in use.
};

/// Returns the letters of the hosts' badges. A host keeps its letter of lettersOf() unless another host has it, too; then the host whose
/// name begins with it keeps it. A host without a name has no letter.
std::vector<std::string> badgeLetters(const std::vector<std::string>& names)
{
    std::vector<std::string> letters = lettersOf(names);
    std::vector<std::vector<std::string>> candidates;
    for (std::size_t host = 0; host < names.size(); ++host)
        candidates.push_back(badgeCandidates(letters[host], names[host]));
    BadgeAssignment assignment(std::move(candidates));
    std::vector<bool> isDone(names.size());
    const auto keepLetters = [&](bool isInitial) {
        for (std::size_t host = 0; host < names.size(); ++host)
            if (!isDone[host] && (letters[host] == letterOf(names[host])) == isInitial && assignment.isFree(letters[host])) {
                assignment.assign(host, letters[host]);
                isDone[host] = true;
            }
    };
    keepLetters(true);
    keepLetters(false);
    for (std::size_t host = 0; host < names.size(); ++host)
        if (!isDone[host] && !names[host].empty())
            assignment.assignAny(host);
    for (const auto& [letter, host] : assignment.owners())
        letters[host] = letter;
    return letters;
}

bool isAligned(const Timeline& timeline, const HostClockFacts& clock)
{
    const bool isReached = timeline.appliesClocks && !clock.path.empty();
    return isReached || clock.method == ClockMethod::Reference || timeline.hosts[clock.host].isSynchronized;
}

std::string clockText(const Timeline& timeline, const HostClockFacts& clock)
{
    if (clock.method == ClockMethod::Reference)
        return "reference";
    if (!isAligned(timeline, clock))
        return clock.method == ClockMethod::Manual ? "left raw" : timeline.isComplete ? "not aligned" : "not aligned yet";
    if (clock.path.empty())
        return "aligned";
    const std::uint32_t root = clock.path.front();
    std::string text = offsetText(clock.offset) + (root == timeline.reference ? "" : " to " + timeline.hosts[root].shownName());
    if (clock.bound == Duration::max())
        return text + " ± ?";
    return clock.bound > Duration{} ? text + " ±" + roughText(clock.bound) : text;
}

} // namespace

std::string offsetText(Duration offset)
{
    const double ns = static_cast<double>(offset.count());
    const double size = ns < 0 ? -ns : ns;
    const auto [unit, name] = size < 1e3 ? std::pair{1.0, "ns"}
        : size < 1e6                     ? std::pair{1e3, "µs"}
        : size < 1e8                     ? std::pair{1e6, "ms"}
                                         : std::pair{1e9, "s"};
    char text[64];
    std::snprintf(text, sizeof text, unit == 1.0 ? "%.0f %s" : "%.3f %s", size / unit, name);
    return size == 0 ? "0" : (ns < 0 ? "\u2212" : "+") + std::string(text);
}

std::string colorRole(const HostHeading& host)
{
    constexpr std::int32_t Categories = 20; // The themes have cat.00 to cat.19; higher numbers wrap around.
    const std::string number = std::to_string((host.color % Categories + Categories) % Categories);
    return "cat." + std::string(number.size() < 2 ? "0" : "") + number;
}

std::vector<HostHeading> hostHeadings(const Timeline& timeline)
{
    std::vector<HostHeading> headings;
    std::vector<std::string> names;
    for (const TimelineHost& host : timeline.hosts)
        names.push_back(host.shownName());
    const std::vector<std::string> letters = badgeLetters(names);
    for (const HostClockFacts& clock : hostClocks(timeline)) {
        const TimelineHost& host = timeline.hosts[clock.host];
        HostHeading heading;
        heading.name = host.shownName();
        heading.letter = letters[clock.host];
        heading.color = colorOf(host, clock.host);
        if (timeline.hosts.size() > 1) {
            heading.clock = clockText(timeline, clock);
            heading.isAligned = isAligned(timeline, clock);
            heading.isDoubtful = host.early.contradictsClock();
            heading.sentence = sentenceOf(timeline, clock);
        }
        headings.push_back(std::move(heading));
    }
    return headings;
}

} // namespace helio
