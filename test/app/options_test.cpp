#include "app/options.hpp"

#include <sys/socket.h>

#include <boost/test/unit_test.hpp>

using namespace nlstream;

namespace {

Options read(std::vector<char const*> arguments) {
    arguments.insert(arguments.begin(), "nlstream");
    return read_options(static_cast<int>(arguments.size()), arguments.data());
}

void refuse(std::vector<char const*> const& arguments, std::string_view part) {
    BOOST_CHECK_EXCEPTION(read(arguments), UsageError, [&](UsageError const& error) {
        BOOST_TEST_MESSAGE(error.what());
        return std::string_view(error.what()).find(part) != std::string_view::npos;
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_any_standard_input_is_streamed) {
    auto const options = read({});
    BOOST_CHECK((options.files == std::vector<std::string>{"-"}));
    BOOST_CHECK(!options.window && !options.coalesce && !options.ack);
    BOOST_CHECK(!options.force && !options.check && !options.quiet);
    BOOST_CHECK(options.encoder.tool == Tool::any);
    BOOST_CHECK_EQUAL(options.encoder.family, AF_UNSPEC);
}

BOOST_AUTO_TEST_CASE(short_and_long) {
    auto const options = read({"-w", "7", "--coalesce=3", "--ack", "each", "-f", "-n", "red", "-q", "--syntax", "tc",
                               "one", "-b", "two", "--batch", "three"});
    BOOST_CHECK_EQUAL(*options.window, 7);
    BOOST_CHECK_EQUAL(*options.coalesce, 3);
    BOOST_CHECK(*options.ack == AckMode::each);
    BOOST_CHECK(options.force && options.quiet);
    BOOST_CHECK_EQUAL(options.netns, "red");
    BOOST_CHECK(options.encoder.tool == Tool::tc);
    BOOST_CHECK((options.files == std::vector<std::string>{"two", "three", "one"}));
    auto const automatic = read({"--window", "auto", "--coalesce", "auto"});
    BOOST_CHECK(!automatic.window && !automatic.coalesce);
}

BOOST_AUTO_TEST_CASE(families) {
    BOOST_CHECK_EQUAL(read({"-4"}).encoder.family, AF_INET);
    BOOST_CHECK_EQUAL(read({"-6"}).encoder.family, AF_INET6);
    BOOST_CHECK_EQUAL(read({"-0"}).encoder.family, AF_PACKET);
    BOOST_CHECK_EQUAL(read({"-B"}).encoder.family, AF_BRIDGE);
    BOOST_CHECK_EQUAL(read({"-M"}).encoder.family, AF_MPLS);
    BOOST_CHECK_EQUAL(read({"--family", "inet6", "-6"}).encoder.family, AF_INET6);
    refuse({"-4", "-6"}, "more than one family");
    refuse({"--family", "ax25"}, "expected one of inet, inet6, link, bridge, mpls");
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused) {
    refuse({"-w", "0"}, "--window cannot be \"0\": expected auto, or 1 to 1000000");
    refuse({"-w", "-1"}, "--window cannot be");
    refuse({"-w", "1000001"}, "--window cannot be");
    refuse({"-w", "4294967297"}, "--window cannot be");
    refuse({"--errors", "none"}, "--errors cannot be \"none\": expected one of auto, all, grouped");
    refuse({"--coalesce", "many"}, "--coalesce cannot be \"many\"");
    refuse({"--coalesce", "3x"}, "--coalesce cannot be \"3x\"");
    refuse({"--ack", "some"}, "--ack cannot be \"some\": expected one of last, each, none");
    refuse({"--emit", "hex"}, "--emit needs --check");
    refuse({"--links", "file"}, "--links needs --check");
    for (auto const* option : {"-4", "-6", "-0", "-B", "-M", "--family=inet", "--syntax=ip", "--rejects=file", "--links=file"})
        refuse({"--replay", option}, "is about lines, and --replay reads messages");
    refuse({"--windo", "3"}, "windo");
    refuse({"--unheard-of"}, "unheard-of");
}

BOOST_AUTO_TEST_CASE(questions_are_answered) {
    BOOST_CHECK(read({"--version"}).answer.starts_with("nlstream 0."));
    auto const help = read({"--help"}).answer;
    for (char const* word : {"--window", "--coalesce", "--ack", "--force", "--netns", "--check", "--emit", "--links",
                             "--batch", "--syntax", "--family", "--quiet"})
        BOOST_CHECK_MESSAGE(help.find(word) != std::string::npos, word);
}

BOOST_AUTO_TEST_CASE(what_is_expected_and_where_to_start) {
    auto const options = read({"--ignore", "exists,EBUSY", "--ignore", "missing", "--retry", "3", "--rejects", "left",
                               "--journal", "j", "--resume", "rules"});
    BOOST_CHECK(options.expected.missing());
    BOOST_CHECK_EQUAL(options.retries, 3);
    BOOST_CHECK_EQUAL(options.rejects, "left");
    BOOST_CHECK(options.resume && options.journal == "j");
    BOOST_CHECK_EQUAL(*read({"--from-line", "70"}).from_line, 70);
    BOOST_CHECK(read({}).errors == ErrorList::automatic);
    BOOST_CHECK(read({"--errors", "grouped"}).errors == ErrorList::grouped);
    BOOST_CHECK(read({"--errors", "all"}).errors == ErrorList::all);
    refuse({"--ignore", "exists,"}, "--ignore cannot be \"\"");
    refuse({"--ignore", "ebusy"}, "expected exists, missing, or an error");
    refuse({"--retry", "0"}, "expected 1 to 1000000");
    refuse({"--from-line", "0"}, "lines count from 1");
    refuse({"--resume"}, "--resume needs --journal");
    refuse({"--resume", "--journal", "j", "--from-line", "3"}, "both say where to start");
    refuse({"--check", "--rejects", "left"}, "sends nothing");
    refuse({"--check", "--check-first"}, "sends nothing");
}

BOOST_AUTO_TEST_CASE(commands_to_go_on) {
    auto const options = read({"-fq", "-w", "7", "--ignore=exists,missing", "--journal", "my journal", "--resume",
                               "--rejects", "left", "one", "it's"});
    BOOST_CHECK_EQUAL(resume_command(options, {"it's"}, 12),
                      "nlstream --force --quiet --window 7 --ignore exists,missing --journal 'my journal' --rejects "
                      "left --from-line 12 'it'\\''s'");
    BOOST_CHECK_EQUAL(rejects_command(options), "nlstream --force --quiet --window 7 --ignore exists,missing left");
}
